// Ids are UUID version 7, made here and never by the database, so that every PostgreSQL from 15 on will do.
import { randomUUIDv7 } from 'node:crypto'

export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function newId(): string {
  return randomUUIDv7()
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** The 16 bytes of a UUID. */
export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}
