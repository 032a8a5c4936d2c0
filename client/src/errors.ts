import type { ErrorBody } from './generated/types.ts'

/** The service's refusal, with the three fields of its body. */
export class CountersignError extends Error {
  override readonly name = 'CountersignError'
  readonly status: number
  /** Permanent: a code has one meaning, for good. 0 where the answer did not come from the service but from a proxy. */
  readonly code: number
  readonly classification: ErrorBody['classification']
  /** Names the call in the logs of the service. */
  readonly requestId: string | undefined

  constructor(status: number, { code, classification, message }: ErrorBody, requestId?: string) {
    super(message ?? `The service answered ${status}.`)
    this.status = status
    this.code = code
    this.classification = classification
    this.requestId = requestId
  }

  static async from(response: Response): Promise<CountersignError> {
    const body = readBody(await response.text().catch(() => ''))
    return new CountersignError(response.status, body, response.headers.get('x-request-id') ?? undefined)
  }
}

function readBody(text: string): ErrorBody {
  try {
    const { code, classification, message } = JSON.parse(text) as Partial<ErrorBody>
    if (typeof code === 'number' && classification) return { code, classification, message: message ?? null }
  } catch {
    // A page of a proxy; its status says all there is to know.
  }
  return { code: 0, classification: 'InternalError', message: null }
}

/** The service could not be reached, or its answer did not arrive, however often it was tried. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly tries: number

  constructor(tries: number, cause: unknown) {
    super(`No answer from the service after ${tries} ${tries === 1 ? 'try' : 'tries'}.`, { cause })
    this.tries = tries
  }
}
