// What the named formats accept, how they are written afterwards, and how a refusal is worded.
import { isUuid, NIL_UUID } from '#platform/ids.ts'

export type Format = {
  /** The value in its one written form, or undefined where it is not acceptable. */
  read(text: string): string | undefined
  expected: string
}

/** Stands for "as if it had not been sent". */
export const ABSENT = Symbol('absent')

const EMAIL =
  /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]{1,64}@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+\.[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f.]{2,}$/
const E164 = /^\+[1-9]\d{5,14}$/
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)?$/
const NOT_IN_FILE_NAMES = /[/\\\u0000-\u001f\u007f]/

export const FORMATS: Record<string, Format> = {
  uuid: {
    expected: 'must be a UUID',
    read: (text) => (isUuid(text) ? text.toLowerCase() : undefined),
  },
  'date-time': { expected: 'must be a date and time such as 2030-01-31T12:00:00Z', read: readDateTime },
  email: { expected: 'must be an e-mail address', read: (text) => (EMAIL.test(text) ? text : undefined) },
  phone: { expected: 'must be a phone number such as +358401234567', read: readPhone },
  'file-name': {
    expected: 'must be a file name without path separators or control characters',
    read: (text) => (NOT_IN_FILE_NAMES.test(text) || text === '.' || text === '..' ? undefined : text),
  },
  language: { expected: 'must be a language tag such as en, fi or sv-FI', read: readLanguage },
  int32: { expected: 'must be a whole number', read: (text) => text },
}

export function isNilUuid(value: unknown): boolean {
  return value === NIL_UUID
}

/** ISO 8601; without an offset it is UTC. Written back in UTC with milliseconds. */
function readDateTime(text: string): string | undefined {
  const match = DATE_TIME.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', offset = 'Z'] = match
  const milliseconds = fraction === '' ? '' : fraction.slice(0, 4)
  const moment = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${milliseconds}${offset.toUpperCase()}`)
  if (Number.isNaN(moment.getTime()) || Number(day) > daysInMonth(Number(year), Number(month))) return undefined
  return moment.toISOString()
}

function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function readPhone(text: string): string | undefined {
  const digits = text.replaceAll(/[\s-]/g, '').replace(/^00/, '+')
  return E164.test(digits) ? digits : undefined
}

function readLanguage(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0]
  } catch {
    return undefined
  }
}
