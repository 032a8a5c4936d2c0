// E-mail by SMTP, over a few connections that are kept for a moment. One recipient for each message.
import type { MailConfig } from '#platform/config/gateways.ts'
import { follow } from '#platform/tracing/follow.ts'

export type Mail = {
  to: { name: string | undefined; address: string }
  /** In whose name it is sent; the address is always the configured one. */
  fromName: string
  subject: string
  text: string
  html: string
  /** The same at every try, so that servers and readers know a repeat as one. */
  messageId: string
  language: string
}

export type Mailer = { send(mail: Mail): Promise<void> }

/** The other side said no, and would say so again. */
export class PermanentRefusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PermanentRefusal'
  }
}

export type MailTimeouts = {
  connectMs: number
  /** Between one answer of the server and the next. */
  answerMs: number
  /** For a message as a whole: a server that trickles its answers, line by line, is given up after this. */
  sendMs: number
}

const TIMEOUTS: MailTimeouts = { connectMs: 10_000, answerMs: 30_000, sendMs: 50_000 }
const CONNECTIONS = 5
/** Nothing needs to be closed at the end: connections without work go by themselves. */
const KEEP_IDLE_MS = 2_000
const LOOPBACK = ['127.0.0.1', '::1', 'localhost']
// Its length was bounded where it came in: to 254 characters, of which a domain may have all but two.
const SINGLE_ADDRESS = /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]{1,64}@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+$/
const CONTROLS = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/

/** Sends through the configured server. Throws PermanentRefusal where another try would be in vain. */
export function openMailer(config: MailConfig, timeouts: MailTimeouts = TIMEOUTS): Mailer {
  let pool = openPool(config, timeouts)

  async function deliver(mail: Mail): Promise<void> {
    const opening = pool
    const used = await opening
    const giveUp = setTimeout(() => {
      // Ends this delivery and its neighbours, which are tried again; a new pool serves whoever comes next.
      if (pool === opening) pool = openPool(config, timeouts)
      used.close({ force: true })
    }, timeouts.sendMs)
    try {
      await used.sendMail(compose(mail, config))
    } finally {
      clearTimeout(giveUp)
    }
  }

  return {
    async send(mail) {
      requirePlainHeaders(mail)
      try {
        const attributes = { 'server.address': config.host }
        await follow({ kind: 'outgoing', name: 'send mail', attributes }, () => deliver(mail))
      } catch (error) {
        throw explain(error)
      }
    },
  }
}

/** Connects, greets and logs in, without sending anything; throws what is wrong. */
export async function checkMailServer(config: MailConfig, timeouts: MailTimeouts = TIMEOUTS): Promise<void> {
  const pool = await openPool(config, timeouts)
  try {
    await pool.verify()
  } catch (error) {
    throw explain(error)
  } finally {
    pool.close()
  }
}

/** The library is loaded by those alone who send: a start is quicker without it. */
async function openPool({ host, port, isTls, login }: MailConfig, { connectMs, answerMs }: MailTimeouts) {
  const { default: nodemailer } = await import('nodemailer')
  return nodemailer.createTransport({
    pool: true,
    host,
    port,
    secure: isTls,
    // A password must not cross a network in the clear, even where the server would take it.
    requireTLS: login !== undefined && !LOOPBACK.includes(host),
    ...(login && { auth: { user: login.user, pass: login.password } }),
    maxConnections: CONNECTIONS,
    maxRequeues: 0,
    idleTimeout: KEEP_IDLE_MS,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function compose({ to, fromName, subject, text, html, messageId, language }: Mail, { from }: MailConfig) {
  return {
    // The envelope is told apart from the headers: whatever stands there, there is one recipient.
    envelope: { from: from.address, to: [to.address] },
    from: { name: fromName, address: from.address },
    to: { name: to.name ?? '', address: to.address },
    subject,
    text,
    html,
    messageId,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
  }
}

/** Line breaks in a header would begin another one, and a list of addresses would reach people nobody meant. */
function requirePlainHeaders({ to, fromName, subject, messageId, language }: Mail): void {
  if (!SINGLE_ADDRESS.test(to.address)) throw new PermanentRefusal('the address is not that of one person')
  for (const value of [to.name ?? '', fromName, subject, messageId, language]) {
    if (CONTROLS.test(value)) throw new PermanentRefusal('a header must stay on one line')
  }
}

/** Without the cause: what a server answers often repeats the address, and errors go to the log. */
function explain(error: unknown): Error {
  const { responseCode, command, code } = error as { responseCode?: number; command?: string; code?: string }
  if (responseCode === undefined)
    return new Error(`the mail server can not be reached (${code ?? 'for no reason given'})`)
  const what = `the mail server said ${responseCode}`
  // A refused login is a matter of configuration: it will be mended, and then the message goes out.
  const isAboutMessage = command !== undefined && /^(MAIL FROM|RCPT TO|DATA)/.test(command)
  return isAboutMessage && responseCode >= 500 ? new PermanentRefusal(what) : new Error(what)
}
