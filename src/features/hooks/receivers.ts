// Receivers as they were opened last: decrypting a secret costs as much as sending a delivery.
import type { Keyring } from '#platform/secrets/keyring.ts'
import { openReceiver, type Receiver, type ReceiverRow } from './delivery-request.ts'

const REMEMBER_AT_MOST = 2_000

export class Receivers {
  readonly #keyring: Keyring
  readonly #opened = new Map<string, { row: ReceiverRow; receiver: Receiver }>()

  constructor(keyring: Keyring) {
    this.#keyring = keyring
  }

  /** The receiver behind a row; the one opened before, where nothing about the row has changed. */
  open(tenantId: string, row: ReceiverRow, now: Date): Receiver {
    const known = this.#opened.get(row.id)
    // While two secrets are alive, the time decides which of them sign.
    if (known !== undefined && row.previousSecret === null && isSame(known.row, row)) return known.receiver
    const receiver = openReceiver(this.#keyring, tenantId, row, now)
    if (this.#opened.size >= REMEMBER_AT_MOST) this.#opened.clear()
    this.#opened.set(row.id, { row, receiver })
    return receiver
  }
}

function isSame(one: ReceiverRow, other: ReceiverRow): boolean {
  return (
    one.uri === other.uri &&
    one.previousSecret === null &&
    one.secret.equals(other.secret) &&
    (one.headers === null ? other.headers === null : other.headers !== null && one.headers.equals(other.headers))
  )
}
