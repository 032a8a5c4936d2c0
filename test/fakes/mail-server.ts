// A real SMTP server on loopback that keeps what it is given and misbehaves on request.
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = {
  /** Whom the envelope names. */
  from: string
  to: string[]
  /** By name in lower case; a header that comes twice has two values. */
  headers: Record<string, string[]>
  text: string
  html: string
  raw: string
  /** Whether the server said that it has it: one that it has read to the end and then refused is not delivered. */
  isTaken: boolean
  /** When the server had read it to its end, in milliseconds. */
  at: number
}

/** How the server answers: takes the message, refuses at the recipient or the data, breaks off after it, or is slow. */
export type Mood = 'accept' | { recipient: number } | { data: number } | 'reset' | { slowMs: number }

export type MailServer = {
  port: number
  /** Every message whose end the server has seen, whatever it answered. */
  received: ReceivedMail[]
  /** Taken one after the other, one for each message; afterwards everything is accepted. */
  moods: Mood[]
  stop(): Promise<void>
}

/** Takes messages from anybody; where it `takesLogin`, also from whoever says a name and any password first. */
export async function startMailServer({ takesLogin = false, port = 0 } = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const moods: Mood[] = []
  let mood: Mood = 'accept'
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: takesLogin ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    allowInsecureAuth: takesLogin,
    onAuth: ({ username }, _session, callback) => callback(null, { user: username }),
    logger: false,
    closeTimeout: 50,
    onMailFrom(_address, _session, callback) {
      mood = moods.shift() ?? 'accept'
      void wait(typeof mood === 'object' && 'slowMs' in mood ? mood.slowMs : 0).then(() => callback())
    },
    onRcptTo({ address }, _session, callback) {
      callback(typeof mood === 'object' && 'recipient' in mood ? refusal(mood.recipient, address) : undefined)
    },
    onData(stream, session, callback) {
      const now = mood
      const took = text(stream).then((raw) => {
        const { mailFrom, rcptTo } = session.envelope
        const isRefused = typeof now === 'object' && 'data' in now
        const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) }
        received.push({ ...readMail(raw), ...envelope, isTaken: now !== 'reset' && !isRefused, at: Date.now() })
        if (now === 'reset') return [...server.connections].forEach((connection) => connection._socket.destroy())
        return callback(isRefused ? refusal(now.data, raw.slice(-200)) : undefined)
      })
      // Whoever is killed in the middle has sent nothing.
      took.catch(() => {})
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    moods,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** As servers do, it repeats what it refuses. */
function refusal(responseCode: number, refused: string): Error {
  return Object.assign(new Error(`no: ${refused.replaceAll(/\s+/g, ' ')}`), { responseCode })
}

function readMail(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html' | 'raw'> {
  const { headers, body } = splitPart(raw)
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type']?.[0] ?? '')?.[1]
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`).map((part) => splitPart(part.trimStart()))
  const partOf = (type: string) => {
    const found = parts.find((part) => part.headers['content-type']?.[0]?.startsWith(type))
    return found === undefined ? '' : decode(found)
  }
  return { headers, text: partOf('text/plain'), html: partOf('text/html'), raw }
}

function splitPart(raw: string) {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers: Record<string, string[]> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    ;(headers[line.slice(0, colon).toLowerCase()] ??= []).push(decodeWords(line.slice(colon + 1).trim()))
  }
  return { headers, body: raw.slice(end + 4) }
}

function decode({ headers, body }: ReturnType<typeof splitPart>): string {
  const encoding = headers['content-transfer-encoding']?.[0] ?? '7bit'
  const plain = body.replace(/\r\n$/, '')
  if (encoding === 'base64') return Buffer.from(plain, 'base64').toString().replaceAll('\r\n', '\n')
  return (encoding === 'quoted-printable' ? decodeQuoted(plain.replaceAll('=\r\n', '')) : plain).replaceAll(
    '\r\n',
    '\n',
  )
}

function decodeQuoted(quoted: string): string {
  const bytes = quoted.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** RFC 2047: encoded words, and the white space between two of them is none. */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, words: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(words, 'base64').toString() : decodeQuoted(words.replaceAll('_', ' ')),
    )
}
