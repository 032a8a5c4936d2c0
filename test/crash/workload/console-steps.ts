// A person at the console: signs in, changes the password, adds and removes a second factor, and signs out.
import { codeOfStep } from '../../../src/features/identity/totp.ts'
import type { Reply } from '../../service.ts'
import type { Ask, Client } from './client.ts'

const STEP_S = 30
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Whoever was just invited goes through everything that the console's account page offers. */
export async function visitConsole(client: Client, login: string, password: string): Promise<void> {
  const door = new Door(client)
  if (!(await door.enter(login, password))) return
  const newPassword = `${password} ${client.newMark()}`
  const changed = await door.call('PUT /console/password', { currentPassword: password, newPassword })
  const current = changed?.status === 204 ? newPassword : password
  const offer = await door.call('POST /console/factor', { password: current })
  const secret: string | undefined = offer?.json?.secret
  if (secret !== undefined) {
    await door.call('POST /console/factor/confirm', { code: codeNow(secret) })
    await door.call('DELETE /console/factor', { password: current })
  }
  const sessions = await door.call('GET /console/session')
  const own = sessions?.json?.items?.find((session: { isThisOne: boolean }) => session.isThisOne)
  if (own) await door.call('DELETE /console/session/:id', undefined, { id: own.id })
  await door.call('POST /console/password/forgotten', { login })
}

/** Sets a password by a link, as the console's page does. */
export function setByLink(client: Client, token: string, password: string): Promise<Reply | undefined> {
  return new Door(client).call('POST /console/password', { token, password })
}

const MAY_REFUSE = [
  'AuthenticationError',
  'AuthorizationError',
  'InvalidArgument',
  'InvalidOperation',
  'EntityNotFound',
] as const

/** A browser at the console's door: it keeps the cookie, and says where it comes from. */
class Door {
  readonly #client: Client
  #cookie: string | undefined

  constructor(client: Client) {
    this.#client = client
  }

  async enter(login: string, password: string): Promise<boolean> {
    return (await this.call('POST /console/session', { login, password }))?.status === 200 && this.#cookie !== undefined
  }

  async call(operation: string, body?: unknown, params: Record<string, string> = {}): Promise<Reply | undefined> {
    const headers: Record<string, string> = { 'x-countersign-console': '1', origin: this.#client.url }
    if (this.#cookie !== undefined) headers['cookie'] = this.#cookie
    const ask: Ask = { as: 'guest', headers, params, mayRefuse: MAY_REFUSE, ...(body !== undefined && { body }) }
    const reply = await this.#client.call(operation, ask)
    this.#cookie = reply?.headers.getSetCookie()[0]?.split(';')[0] ?? this.#cookie
    return reply
  }
}

function codeNow(secret: string): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  return codeOfStep(Buffer.from(bytes), Math.floor(Date.now() / 1000 / STEP_S))
}
