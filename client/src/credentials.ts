// Who calls: a program by its subscription key, that key and a user, or the console's own pages by their session.

export type Login = { login: string; password: string; tenantId?: string; departmentId?: string }

export type CredentialOptions = {
  /** The subscription key, primary or secondary value. */
  key?: string | undefined
  /** Whom to log in as. A token is fetched when it is first needed, and again before it ends. */
  login?: Login
  /** A token that you have, or a function that fetches one, instead of a login. */
  token?: string | (() => string | Promise<string>)
  /** In the console's pages: the session's cookie stands in for key and token. */
  session?: boolean
}

export type Credentials = {
  headers(): Promise<Record<string, string>>
  /** After a 401 to these headers: whether another try could go better. */
  renew(sent: Record<string, string>): boolean
}

type LogIn = (login: Login) => Promise<string>

/** Tokens are renewed this long before they end. */
const SPARE_MS = 60_000

/** The headers that say who calls. `logIn` fetches a token with the key alone. */
export function makeCredentials(options: CredentialOptions, logIn: LogIn): Credentials {
  const { key, login, token, session } = options
  const fixed = {
    ...(key !== undefined && { 'ocp-apim-subscription-key': key }),
    // No page of another origin can set it without asking first: that is what makes the cookie safe to accept.
    ...(session && { 'x-countersign-console': '1' }),
  }
  const tokens = login ? keepToken(() => logIn(login)) : undefined
  return {
    async headers() {
      const bearer = tokens ? await tokens.get() : typeof token === 'function' ? await token() : token
      return bearer === undefined ? fixed : { ...fixed, authorization: `Bearer ${bearer}` }
    },
    renew({ authorization }) {
      if (authorization !== undefined) tokens?.forget(authorization)
      return tokens !== undefined || typeof token === 'function'
    },
  }
}

/** One token for all calls, fetched once however many ask for it at the same time. */
function keepToken(fetchToken: () => Promise<string>) {
  let current: Promise<string> | undefined
  let latest = ''
  let endsAt = Infinity
  const fetchAnew = async () => {
    endsAt = Infinity
    latest = await fetchToken()
    endsAt = Date.now() + lifetimeMs(latest)
    return latest
  }
  return {
    get(): Promise<string> {
      if (current === undefined || endsAt - SPARE_MS < Date.now()) {
        current = fetchAnew()
        current.catch(() => (current = undefined))
      }
      return current
    },
    forget(authorization: string): void {
      // Another call may have fetched a new one since this one was sent.
      if (authorization !== `Bearer ${latest}`) return
      current = undefined
      latest = ''
    },
  }
}

/** RFC 7519 4.1: from `iat` to `exp`, in seconds; the difference holds whatever this machine's clock says. */
function lifetimeMs(token: string): number {
  const claims = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')
  const { iat, exp } = JSON.parse(atob(claims)) as { iat: number; exp: number }
  return (exp - iat) * 1000
}
