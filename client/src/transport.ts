// From a call to the wire and back, once: the address, the credentials, and a second try where those had ended.
import { makeCall, type Call } from './call.ts'
import { makeCredentials, type CredentialOptions, type Login } from './credentials.ts'
import { CountersignError } from './errors.ts'
import { OPERATIONS } from './generated/operations.ts'
import { sendUntilAnswered, type RetryOptions, type Send } from './retries.ts'

export type TransportOptions = CredentialOptions &
  RetryOptions & {
    /** Where the service answers, such as https://sign.example.com; without it, where the page came from. */
    url?: string
    /** Sent with every call. */
    headers?: Record<string, string>
    /** Instead of the global one, for instance through a proxy of yours. */
    fetch?: typeof fetch
  }

type SendAs = (call: Call, who: Record<string, string>, signal: AbortSignal) => Promise<Response>

const LOGIN_REFUSED = {
  code: 0,
  classification: 'AuthenticationError',
  message: 'The login and the password fit no active user.',
} as const

/** Sends calls as whoever the options name. */
export function makeSend(options: TransportOptions): Send {
  const sendAs = makeSendAs(options)
  const credentials = makeCredentials(options, (login) => logIn(sendAs, login, options))
  return async (call, signal) => {
    const who = await credentials.headers()
    const response = await sendAs(call, who, signal)
    const canBeSentAgain = !(call.body instanceof ReadableStream)
    if (response.status !== 401 || !canBeSentAgain || !credentials.renew(who)) return response
    return sendAs(call, await credentials.headers(), signal)
  }
}

function makeSendAs({ url, headers, session, fetch: givenFetch }: TransportOptions): SendAs {
  const base = baseOf(url)
  return (call, who, signal) =>
    (givenFetch ?? fetch)(base + call.path, {
      method: call.method,
      headers: { ...headers, ...who, ...call.headers },
      signal,
      credentials: session ? 'same-origin' : 'omit',
      ...(call.body !== undefined && { body: call.body as Blob }),
      // A stream is sent before its end is known, which fetch wants to hear in so many words.
      ...(call.body instanceof ReadableStream && { duplex: 'half' }),
    })
}

/** Refused here, a wrong address is a mistake; refused by fetch, it would look like a bad connection. */
function baseOf(url: string | undefined): string {
  if (url === undefined && 'location' in globalThis) return ''
  const { origin, pathname } = new URL(url ?? '')
  return origin + pathname.replace(/\/+$/, '')
}

async function logIn(sendAs: SendAs, login: Login, options: TransportOptions): Promise<string> {
  const key = { 'ocp-apim-subscription-key': options.key ?? '' }
  const send: Send = (call, signal) => sendAs(call, key, signal)
  const answer = await sendUntilAnswered(send, makeCall(OPERATIONS.logIn, login), {}, options)
  // 204 says that login and password fit nobody, and nothing more.
  if (answer === undefined) throw new CountersignError(204, LOGIN_REFUSED)
  return (answer as { token: string }).token
}
