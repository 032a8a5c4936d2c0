// A person's browser as the service sees it: it keeps the console's cookie, and says where it comes from.
import assert from 'node:assert/strict'
import { makeCaller, PASSWORD, type Caller, type CallOptions, type Reply } from './service.ts'

export class ConsoleBrowser {
  readonly #call: Caller
  readonly #origin: string
  cookie: string | undefined

  constructor(url: string) {
    this.#call = makeCaller(url, {})
    this.#origin = url
  }

  /** Calls as the console does; a header that is given as '' is left out. */
  async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Reply> {
    const own: Record<string, string> = { 'x-countersign-console': '1', cookie: this.cookie ?? '' }
    if (method !== 'GET') own.origin = this.#origin
    const all = Object.entries({ ...own, ...options.headers }).filter(([, value]) => value !== '')
    const reply = await this.#call(method, path, body, { ...options, headers: Object.fromEntries(all) })
    const [set] = reply.headers.getSetCookie()
    if (set !== undefined) this.cookie = set.includes('Max-Age=0') ? undefined : set.split(';')[0]
    return reply
  }

  signIn(login: string, password = PASSWORD, more: Record<string, unknown> = {}): Promise<Reply> {
    return this.call('POST', '/console/session', { login, password, ...more })
  }
}

/** A browser in which this person is signed in; `from` is the address that a proxy names. */
export async function signedIn(url: string, login: string, password = PASSWORD, from = ''): Promise<ConsoleBrowser> {
  const browser = new ConsoleBrowser(url)
  const headers = { 'x-forwarded-for': from }
  const { status, json, text } = await browser.call('POST', '/console/session', { login, password }, { headers })
  assert.equal(status, 200, text)
  assert.equal(json.state, 'SignedIn')
  return browser
}
