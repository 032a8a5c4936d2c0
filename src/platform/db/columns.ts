// The kinds of value that travel between statements and PostgreSQL. A kind knows the types that the server may describe
// it with, and checks each value on arrival, so that a row's TypeScript type is a fact.
import { isUuid } from '#platform/ids.ts'

export type Column<T> = {
  /** The server's names for the types that this kind may have. */
  types: readonly string[]
  isNullable: boolean
  accepts(value: unknown): value is T
  /** Named in errors and in the statement test. */
  label: string
}

export type ValueOf<C> = C extends Column<infer T> ? T : never

function column<T>(label: string, types: readonly string[], accepts: (value: unknown) => boolean): Column<T> {
  return { label, types, isNullable: false, accepts: accepts as (value: unknown) => value is T }
}

export const uuid = column<string>('uuid', ['uuid'], (v) => typeof v === 'string' && isUuid(v))
export const text = column<string>('text', ['text', 'varchar'], (v) => typeof v === 'string')
export const integer = column<number>('integer', ['int2', 'int4'], (v) => Number.isInteger(v))
/** A bigint that is known to stay below 2^53; the pool reads int8 as a number. */
export const count = column<number>('count', ['int8'], (v) => Number.isSafeInteger(v))
export const boolean = column<boolean>('boolean', ['bool'], (v) => typeof v === 'boolean')
export const time = column<Date>('time', ['timestamptz'], (v) => v instanceof Date && !Number.isNaN(v.getTime()))
export const bytes = column<Buffer>('bytes', ['bytea'], (v) => Buffer.isBuffer(v))
export const uuids = column<string[]>('uuid[]', ['_uuid'], (v) => Array.isArray(v) && v.every((x) => isUuid(String(x))))
export const texts = column<string[]>('text[]', ['_text'], (v) => Array.isArray(v))
export const integers = column<number[]>('integer[]', ['_int4', '_int2'], (v) => Array.isArray(v))
/** A moment may be missing. An array of texts would be cast row by row, which a spread database does not do in a change. */
export const times = column<(Date | null)[]>('time[]', ['_timestamptz'], (v) => Array.isArray(v))
export const byteses = column<Buffer[]>('bytes[]', ['_bytea'], (v) => Array.isArray(v))

/** A JSON document whose shape is vouched for by the one who wrote it. As a parameter it is sent as text. */
export function json<T>(): Column<T> {
  return column<T>('json', ['jsonb', 'json'], (v) => v !== undefined)
}

/** A text that is one of the given words. */
export function oneOf<const Words extends readonly string[]>(words: Words): Column<Words[number]> {
  return column<Words[number]>(`one of ${words.join(', ')}`, ['text'], (v) => words.includes(v as string))
}

export function nullable<T>(inner: Column<T>): Column<T | null> {
  return {
    ...inner,
    isNullable: true,
    accepts: (value): value is T | null => value === null || inner.accepts(value),
  }
}
