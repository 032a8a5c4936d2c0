// How people are reached: the mail server, the SMS gateway, and the zone that dates are written in.
import type { EnvironmentReader } from './environment.ts'

export type MailConfig = Readonly<{
  host: string
  port: number
  /** TLS from the first byte; otherwise it is begun with STARTTLS where the server offers it. */
  isTls: boolean
  login: Readonly<{ user: string; password: string }> | undefined
  from: Readonly<{ name: string | undefined; address: string }>
}>

export type SmsConfig = Readonly<{
  url: string
  headers: Readonly<Record<string, string>>
  /** JSON in whose texts {to} and {text} are filled in. */
  body: unknown
}>

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']
const ADDRESS = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@<>()[\]\\,;:"]{1,189}$/
const HEADER = /^([A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}):[ \t]*([^\u0000-\u001f\u007f]{0,4096})$/
const USUAL_SMS_BODY = '{"to":"{to}","text":"{text}"}'

export function readMail(env: EnvironmentReader): MailConfig | undefined {
  const given = env.secret('SMTP_URL')
  const named = readFrom(env)
  if (given === undefined) return undefined
  const url = URL.parse(given)
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    env.problem('SMTP_URL', 'must be an address such as smtps://login:password@mail.example.com')
    return undefined
  }
  const from = named ?? localSender(url)
  if (from === undefined) {
    env.problem('COUNTERSIGN_MAIL_FROM', 'is needed with SMTP_URL, such as Example <sign@example.com>')
    return undefined
  }
  const isTls = url.protocol === 'smtps:'
  const login = readLogin(env, url)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isTls ? 465 : 587),
    isTls,
    login,
    from,
  }
}

/** A mail catcher on this machine takes anything; a real server does not. */
function localSender({ hostname }: URL): MailConfig['from'] | undefined {
  return LOOPBACK.includes(hostname) ? { name: undefined, address: 'countersign@localhost' } : undefined
}

function readLogin(env: EnvironmentReader, { username, password }: URL): MailConfig['login'] {
  if (username === '') return undefined
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    env.problem('SMTP_URL', 'must have % in its login and password written as %25')
    return undefined
  }
}

function readFrom(env: EnvironmentReader): MailConfig['from'] | undefined {
  const value = env.text('COUNTERSIGN_MAIL_FROM')
  if (value === undefined) return undefined
  const match = /^(?:"?([^"<>\u0000-\u001f]*?)"?\s*<([^<>]+)>|([^<>\s]+))$/.exec(value)
  const address = match?.[2] ?? match?.[3] ?? ''
  if (!ADDRESS.test(address)) {
    env.problem('COUNTERSIGN_MAIL_FROM', 'must be an address such as sign@example.com or Example <sign@example.com>')
    return undefined
  }
  return { name: match?.[1]?.trim() || undefined, address }
}

export function readSms(env: EnvironmentReader): SmsConfig | undefined {
  const given = env.secret('COUNTERSIGN_SMS_URL')
  const headers = readHeaders(env)
  const body = readSmsBody(env)
  if (given === undefined) return undefined
  const url = URL.parse(given)
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    env.problem('COUNTERSIGN_SMS_URL', 'must be an address that starts with https:// or http://')
    return undefined
  }
  return { url: url.href, headers, body }
}

function readHeaders(env: EnvironmentReader): Record<string, string> {
  const lines = (env.secret('COUNTERSIGN_SMS_HEADERS') ?? '').split(/\r?\n/).filter((line) => line.trim() !== '')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const match = HEADER.exec(line.trim())
    if (match) headers[match[1]!.toLowerCase()] = match[2]!
    else env.problem('COUNTERSIGN_SMS_HEADERS', 'must have lines such as Authorization: Bearer …')
  }
  return headers
}

function readSmsBody(env: EnvironmentReader): unknown {
  const given = env.text('COUNTERSIGN_SMS_BODY') ?? USUAL_SMS_BODY
  try {
    if (!given.includes('{to}') || !given.includes('{text}')) throw new Error('nowhere to put them')
    return JSON.parse(given)
  } catch {
    env.problem('COUNTERSIGN_SMS_BODY', `must be JSON with {to} and {text} in its texts, such as ${USUAL_SMS_BODY}`)
    return undefined
  }
}

export function readTimezone(env: EnvironmentReader): string {
  const zone = env.text('COUNTERSIGN_TIMEZONE') ?? 'UTC'
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    env.problem('COUNTERSIGN_TIMEZONE', 'must be the name of a time zone such as Europe/Helsinki')
    return 'UTC'
  }
}
