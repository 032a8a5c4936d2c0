// Where the next page begins: a sequence number, signed, so that nobody can make one up or use it elsewhere.
import { isSameSecret, type Keyring } from '#platform/secrets/keyring.ts'
import { badContinuationToken } from './errors.ts'

const SEQUENCE_BYTES = 4

export type HistoryName = { tenantId: string; requestId: string }

export function makeContinuationToken(keyring: Keyring, history: HistoryName, sequence: number): string {
  const position = Buffer.alloc(SEQUENCE_BYTES)
  position.writeUInt32BE(sequence)
  return Buffer.concat([position, sign(keyring, history, sequence)]).toString('base64url')
}

/** The last sequence number of the page before; throws where the token was not made for this history. */
export function readContinuationToken(keyring: Keyring, history: HistoryName, token: string): number {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length <= SEQUENCE_BYTES) throw badContinuationToken()
  const sequence = bytes.readUInt32BE()
  if (!isSameSecret(bytes.subarray(SEQUENCE_BYTES), sign(keyring, history, sequence))) throw badContinuationToken()
  return sequence
}

function sign(keyring: Keyring, { tenantId, requestId }: HistoryName, sequence: number): Buffer {
  return keyring.mac('history page', `${tenantId}|${requestId}|${sequence}`)
}
