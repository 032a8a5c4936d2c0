// What the page asks the service for. The page decides nothing: it shows what is allowed, and asks for it.

export type Purpose = 'reading' | 'signing'
export type Strength = { strength: string; isMet: boolean }
export type ShownDocument = {
  id: string
  title: string | null
  fileName: string
  sizeBytes: number
  sha256: string
  url: string
}
export type EndState = 'declined' | 'canceled' | 'expired' | 'closed'
export type SigningRequest = {
  state: 'authenticate' | 'notyourturn' | 'ready' | 'signing' | 'signed' | EndState
  reading: Strength
  signing: Strength
  language: string
  returnUrl?: string | null
  signatoryId: string
  sender: { organisation: string; department: string; person: string | null } | null
  subject: string | null
  expirationDate: string | null
  signatory: { firstName: string | null; lastName: string | null } | null
  others: { name: string; state: string }[] | null
  progress: 'signing' | 'sealing' | 'sealed' | null
  documents: ShownDocument[] | null
  signedAt: string | null
  declineReason: string | null
  canDownload: boolean
}
export type SentCode = { channel: 'email' | 'sms'; sentTo: string; expiresAt: string; codesLeft: number }
export type Mark = { kind: 'typed'; text: string } | { kind: 'drawn'; strokes: number[][] }

/** The codes of refusals that the page has words of its own for. */
export const REFUSALS = {
  linkNotFound: 2950,
  sessionNeeded: 5950,
  notAuthenticated: 6951,
  wrongCode: 1950,
  codeNotUsable: 1951,
  tooManyTries: 1952,
  tooManyCodes: 7951,
  shownAgain: 7102,
  providerAway: 9950,
} as const

/** The service said no, or (without a code) did not answer at all. */
export class Refusal extends Error {
  readonly code: number | undefined
  readonly classification: string | undefined
  /** For dead links: what became of the request. */
  readonly state: string | undefined
  readonly triesLeft: number
  readonly requestId: string | undefined

  constructor(
    body: { code?: number; classification?: string; state?: string; triesLeft?: number },
    requestId?: string,
  ) {
    super(body.classification ?? 'no answer')
    this.code = body.code
    this.classification = body.classification
    this.state = body.state
    this.triesLeft = body.triesLeft ?? 0
    this.requestId = requestId
  }
}

async function ask(path: string, options: RequestInit = {}): Promise<Response> {
  const response = await fetch(`/sign/api/${path}`, { cache: 'no-store', ...options }).catch(() => undefined)
  if (response === undefined) throw new Refusal({})
  if (response.ok) return response
  const body = (await response.json().catch(() => ({}))) as object
  throw new Refusal(body, response.headers.get('x-request-id') ?? undefined)
}

function post(path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-countersign-sign': '1' }
  return ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

export type Opening = { token: string; returnUrl: string | null; isFramed: boolean }

export async function openSession({ token, returnUrl, isFramed }: Opening): Promise<void> {
  await post('session', { token, ...(returnUrl !== null && { returnUrl }), ...(isFramed && { isFramed }) })
}

export async function reportMessage(token: string): Promise<void> {
  await post('report', { token })
}

export async function readRequest(): Promise<SigningRequest> {
  return (await (await ask('request')).json()) as SigningRequest
}

export async function sendCode(purpose: Purpose): Promise<SentCode> {
  return (await (await post('code', { purpose })).json()) as SentCode
}

export async function verifyCode(purpose: Purpose, code: string): Promise<void> {
  await post('code/verify', { purpose, code })
}

/** Where the identity provider awaits the person. */
export async function startStrong(purpose: Purpose): Promise<string> {
  return ((await (await post('strong', { purpose })).json()) as { redirectTo: string }).redirectTo
}

export async function sayViewed(): Promise<void> {
  await post('viewed', {})
}

/** Signs exactly what was shown: the hashes name the bytes. */
export async function sign(
  { signatoryId }: SigningRequest,
  documents: readonly ShownDocument[],
  mark: Mark | undefined,
): Promise<void> {
  const shown = documents.map(({ id, sha256 }) => ({ id, sha256 }))
  await post('sign', { signatoryId, documents: shown, ...(mark && { mark }) })
}

export async function decline({ signatoryId }: SigningRequest, reason: string): Promise<void> {
  await post('decline', { signatoryId, reason })
}

export async function saveLanguage(language: string): Promise<void> {
  await post('language', { language })
}

export function downloadAddress({ url }: ShownDocument): string {
  return `${url}${url.includes('?') ? '&' : '?'}download=true`
}
