import { makeCall, type Call, type CallOptions } from './call.ts'
import { makeCredentials, type CredentialOptions, type Login } from './credentials.ts'
import { CountersignError } from './errors.ts'
import { OPERATIONS } from './generated/operations.ts'
import type { Operations } from './generated/types.ts'
import { followEvents, type Follow } from './follow.ts'
import { listAll, type ListAll } from './listings.ts'
import { sendUntilAnswered, type RetryOptions } from './retries.ts'

export type ConnectOptions = CredentialOptions &
  RetryOptions & {
    /** Where the service answers, such as https://sign.example.com; without it, where the page came from. */
    url?: string
    /** Sent with every call. */
    headers?: Record<string, string>
    /** Instead of the global one, for instance through a proxy of yours. */
    fetch?: typeof fetch
  }

/** Every operation of the service as a method; `all` goes through listings to their end, `follow` hears what happens. */
export type Countersign = Operations & { all: ListAll; follow: Follow }

/** A service to call. Nothing is sent before the first call. */
export function connect(options: ConnectOptions): Countersign {
  const base = (options.url ?? '').replace(/\/+$/, '')
  const sendOnce = async (call: Call, who: Record<string, string>, signal: AbortSignal) =>
    (options.fetch ?? fetch)(base + call.path, {
      method: call.method,
      headers: { ...options.headers, ...who, ...call.headers },
      signal,
      credentials: options.session ? 'same-origin' : 'omit',
      ...(call.body !== undefined && { body: call.body as Blob }),
      // A stream is sent before its end is known, which fetch wants to hear in so many words.
      ...(call.body instanceof ReadableStream && { duplex: 'half' }),
    })

  const credentials = makeCredentials(options, logIn)
  const send = async (call: Call, signal: AbortSignal) => {
    const who = await credentials.headers()
    const response = await sendOnce(call, who, signal)
    const isWorthAnotherTry =
      response.status === 401 && !(call.body instanceof ReadableStream) && credentials.renew(who)
    return isWorthAnotherTry ? sendOnce(call, await credentials.headers(), signal) : response
  }

  async function logIn(login: Login): Promise<string> {
    const key = { 'ocp-apim-subscription-key': options.key ?? '' }
    const sendWithKey = (call: Call, signal: AbortSignal) => sendOnce(call, key, signal)
    const call = makeCall(OPERATIONS.logIn, login)
    const answer = (await sendUntilAnswered(sendWithKey, call, {}, options)) as { token: string } | undefined
    // 204 says that login and password fit nobody, and nothing more.
    if (answer === undefined) throw new CountersignError(204, LOGIN_REFUSED)
    return answer.token
  }

  const methods = Object.entries(OPERATIONS).map(([name, line]) => [
    name,
    async (input: object = {}, callOptions: CallOptions = {}) =>
      sendUntilAnswered(send, makeCall(line, { ...input }, callOptions), callOptions, options),
  ])
  const operations = Object.fromEntries(methods) as Operations
  return { ...operations, all: listAll(operations), follow: followEvents(operations) }
}

const LOGIN_REFUSED = {
  code: 0,
  classification: 'AuthenticationError',
  message: 'The login and the password fit no active user.',
} as const
