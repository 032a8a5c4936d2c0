// Checks a history without trusting whoever gave it: each event against its hash, each hash against the one before, the
// end against its signature, every event against its place in the log, and the log against its signature. Whoever wants
// to be sure reads this file: it needs nothing but a few functions of Node's own cryptography. docs/history.md explains it.
import { createHash, createPublicKey, verify, type JsonWebKey } from 'node:crypto'

export type Verdict =
  | { isIntact: true; events: number; erased: number; log: LogVerdict | null }
  | { isIntact: false; problem: string }

/** How many events have their place in the log proved, and the signed checkpoint that proves it. */
export type LogVerdict = { logged: number; size: number; checkpoint: string; timestamp: string | null }

type Event = {
  sequenceNumber: number
  eventType: string
  timestamp: string
  hash: string
  previousHash: string
  bodyHash: string
  salt: string | null
  body: string | null
  logPosition?: number | null
  inclusionProof?: string[] | null
} & Record<'id' | 'actor' | 'signatoryId' | 'data', unknown>
type Log = { checkpoint: string; timestamp: string | null; knownEvents: number; waitingEvents: number }
type Page = { tenantId: string; requestId: string; items: Event[]; head: Head | null; log?: Log | null }
type Head = { sequence: number; hash: string; signature: string }

class Broken extends Error {}
function requireThat(isTrue: boolean, problem: string): asserts isTrue {
  if (!isTrue) throw new Broken(problem)
}

/** Whether a history, as one page or a list of pages, is whole, in order, unchanged, signed and logged. */
export function verifyHistory(pages: unknown, keys: readonly JsonWebKey[]): Verdict {
  try {
    return check((Array.isArray(pages) ? pages : [pages]) as Page[], keys)
  } catch (error) {
    // Whatever can't even be read is no history of ours.
    return { isIntact: false, problem: error instanceof Broken ? error.message : 'This is not a history of ours.' }
  }
}

function check(pages: Page[], keys: readonly JsonWebKey[]): Verdict {
  requireThat(pages.length > 0, 'The file holds no page of a history.')
  const { tenantId, requestId } = pages[0]!
  const isOneRequest = pages.every((page) => page.tenantId === tenantId && page.requestId === requestId)
  requireThat(isOneRequest, 'The pages belong to different requests.')
  const events = pages.flatMap((page) => page.items)
  checkChain(events, tenantId, requestId)
  const { head, log } = pages.at(-1)!
  checkHead(head, events, [uuid(tenantId), uuid(requestId)], keys)
  const erased = events.filter((event) => event.body === null).length
  return { isIntact: true, events: events.length, erased, log: log ? checkLog(log, events, keys) : null }
}

/** hash = SHA-256(0x01, previous, sequence, tenant, request, length of type, type, milliseconds, SHA-256(salt, body)). */
function checkChain(events: Event[], tenantId: string, requestId: string): void {
  let previous: Buffer = Buffer.alloc(32)
  for (const [index, event] of events.entries()) {
    const number = index + 1
    const { sequenceNumber, eventType, timestamp } = event
    requireThat(
      sequenceNumber === number,
      `Event ${number} is missing or out of order: event ${sequenceNumber} stands in its place.`,
    )
    requireThat(event.previousHash === previous.toString('hex'), `Event ${number} does not follow the one before it.`)
    const milliseconds = new Date(timestamp).getTime()
    requireThat(!Number.isNaN(milliseconds), `Event ${number} has no time.`)
    const type = Buffer.from(eventType)
    const names = [uint(number, 4), uuid(tenantId), uuid(requestId), uint(type.length, 2), type, uint(milliseconds, 8)]
    previous = sha256(Buffer.of(1), previous, ...names, checkBody(event, number))
    requireThat(event.hash === previous.toString('hex'), `Event ${number} has been changed.`)
  }
}

/** The body is what was hashed; id, actor, signatory and data are what it says. An erased one has only its hash. */
function checkBody(event: Event, number: number): Buffer {
  const { salt, body, actor, data, signatoryId } = event
  const changed = `What event ${number} tells has been changed.`
  const bodyHash = Buffer.from(event.bodyHash, 'hex')
  requireThat(bodyHash.length === 32, changed)
  if (salt === null || body === null) {
    requireThat(actor === null && data === null && signatoryId === null, changed)
    return bodyHash
  }
  const bytes = Buffer.from(body, 'base64')
  requireThat(sha256(Buffer.from(salt, 'base64'), bytes).equals(bodyHash), changed)
  const told = JSON.parse(bytes.toString()) as Partial<Event>
  for (const name of ['id', 'actor', 'signatoryId', 'data'] as const) {
    // The first events that were ever written do not tell their id and signatory.
    const isTold = name in told || name === 'actor' || name === 'data'
    requireThat(!isTold || JSON.stringify(event[name]) === JSON.stringify(told[name]), changed)
  }
  return bodyHash
}

function checkHead(head: Head | null, events: Event[], names: Buffer[], keys: readonly JsonWebKey[]): void {
  const last = events.at(-1)
  requireThat(
    head !== null && last !== undefined,
    'The signed end of the history is missing: it may have been cut short.',
  )
  const { sequenceNumber, hash } = last
  const isSame = head.sequence === sequenceNumber && head.hash === hash
  requireThat(
    isSame,
    `The history was signed with ${head.sequence} events; this one ends with event ${sequenceNumber}.`,
  )
  const purpose = Buffer.from('countersign history head 1\n')
  const signed = Buffer.concat([purpose, ...names, uint(head.sequence, 4), Buffer.from(head.hash, 'hex')])
  const signature = Buffer.from(head.signature, 'base64')
  const isSigned = keys.some((key) => isSignedBy(key, signed, signature))
  requireThat(isSigned, 'The end of the history is not signed by any of the keys.')
}

function checkLog(log: Log, events: Event[], keys: readonly JsonWebKey[]): LogVerdict {
  const { checkpoint, timestamp, knownEvents, waitingEvents } = log
  const { size, root } = checkCheckpoint(checkpoint, keys)
  const isWhole = knownEvents <= events.length
  requireThat(isWhole, `The log knows ${knownEvents} events of this request; the history has ${events.length}.`)
  // The newest events may still wait for their places.
  const logged = events.slice(0, events.findLastIndex((event) => Number.isInteger(event.logPosition)) + 1)
  const areAllKnown = events.length - logged.length <= waitingEvents
  requireThat(areAllKnown, `Event ${logged.length + 1} has no place in the log, and waits for none.`)
  let before = -1
  for (const { sequenceNumber, hash, logPosition, inclusionProof } of logged) {
    const isRising = Number.isSafeInteger(logPosition) && logPosition! > before && logPosition! < size
    requireThat(isRising, `Event ${sequenceNumber} has no place in the log after the one before it.`)
    before = logPosition!
    const proof = inclusionProof!.map((text) => Buffer.from(text, 'base64'))
    const leaf = sha256(Buffer.of(0), Buffer.from(hash, 'hex'))
    const isProved = rootByProof(leaf, before, size, proof)?.equals(root) ?? false
    requireThat(isProved, `Event ${sequenceNumber} is not in the log at its place.`)
  }
  return { logged: logged.length, size, checkpoint, timestamp }
}

function checkCheckpoint(note: string, keys: readonly JsonWebKey[]): { size: number; root: Buffer } {
  const read = readSignedNote(note, keys)
  requireThat(read !== undefined, 'The checkpoint of the log is not signed by any of the keys.')
  return read
}

/** C2SP signed-note: name, size and root of the log on a line each, a blank line, then "— name signature". */
export function readSignedNote(note: string, keys: readonly JsonWebKey[]): { size: number; root: Buffer } | undefined {
  const [, text, name, size, root] = /^((\S+)\n(\d{1,15})\n([\w+/]{43}=)\n)\n/.exec(note) ?? []
  if (text === undefined) return undefined
  const lines = note.split('\n').filter((line) => line.startsWith(`— ${name} `))
  const signatures = lines.map((line) => Buffer.from(line.slice(`— ${name} `.length), 'base64'))
  const isSigned = keys.some((key) => {
    const keyHash = sha256(Buffer.from(`${name}\n\x01`), Buffer.from(key.x!, 'base64url')).subarray(0, 4)
    const own = signatures.filter((signature) => signature.subarray(0, 4).equals(keyHash))
    return own.some((signature) => isSignedBy(key, Buffer.from(text), signature.subarray(4)))
  })
  return isSigned ? { size: Number(size), root: Buffer.from(root!, 'base64') } : undefined
}

/** RFC 9162 2.1.3.2: the root that a proof leads to, undefined where it has too many or too few steps. */
function rootByProof(leaf: Buffer, position: number, size: number, proof: Buffer[]): Buffer | undefined {
  let [index, last, hash] = [position, size - 1, leaf]
  for (const step of proof) {
    if (last === 0) return undefined
    if (index % 2 === 1 || index === last) {
      hash = sha256(Buffer.of(1), step, hash)
      while (index % 2 === 0 && index !== 0) [index, last] = [index / 2, Math.floor(last / 2)]
    } else hash = sha256(Buffer.of(1), hash, step)
    ;[index, last] = [Math.floor(index / 2), Math.floor(last / 2)]
  }
  return last === 0 ? hash : undefined
}

function isSignedBy(key: JsonWebKey, signed: Buffer, signature: Buffer): boolean {
  return verify(null, signed, createPublicKey({ key, format: 'jwk' }), signature)
}

function sha256(...parts: Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

/** Big endian, in so many bytes. */
function uint(value: number, size: number): Buffer {
  const digits = BigInt(value)
    .toString(16)
    .padStart(size * 2, '0')
  requireThat(digits.length === size * 2, 'This is not a history of ours.')
  return Buffer.from(digits, 'hex')
}

function uuid(text: string): Buffer {
  requireThat(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text), 'This is not a history of ours.')
  return Buffer.from(text.replaceAll('-', ''), 'hex')
}
