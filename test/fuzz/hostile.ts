// Values that have broken programs before.
import fc from 'fast-check'

export const HOSTILE_STRINGS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '\ufeff',
  '\u202etxt.exe',
  'a\u2028b',
  "' or 1=1 --",
  '"; drop table app_user; --',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '<script>alert(1)</script>',
  '{{7*7}} ${7*7} <%=7*7%> #{7*7}',
  'a\r\nSet-Cookie: a=b',
  '%s%s%n%x',
  '%00',
  '%zz',
  'x'.repeat(10_000),
  '9'.repeat(400),
  '__proto__',
  'constructor',
  'İstanbul ı',
  '👩‍👩‍👧‍👦',
  '00000000-0000-0000-0000-000000000000',
  '{00000000-0000-0000-0000-000000000000}',
  'urn:uuid:01a1dd66-2429-7628-ac29-b3042c111cf6',
  'true',
  'null',
  'NaN',
  '-1',
  '1e400',
  '0x10',
  '2027-02-30T00:00:00Z',
  '275760-09-13T00:00:00Z',
  '0001-01-01T00:00:00',
  'javascript:alert(1)',
  'http://169.254.169.254/',
  '=cmd|calc!A1',
]

/** A number as it is written in JSON: some can't be written from a number. */
const HOSTILE_NUMBERS = [
  '1e400',
  '-1e400',
  '-0',
  '9007199254740993',
  '1e-320',
  '2147483648',
  '-2147483649',
  '0.1',
  '1E3',
]

/** Text that stands for itself in the JSON around it; see `toJson`. */
export const raw = (json: string) => `«raw:${json}»`

/** A value where another one belongs. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_STRINGS) },
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_NUMBERS).map(raw) },
  { weight: 1, arbitrary: fc.integer({ min: 10, max: 300 }).map((levels) => nested(levels)) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, [], {}, [null], [[]], { toString: 1 }),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 600 }) },
)

function nested(levels: number): string {
  return raw('['.repeat(levels) + ']'.repeat(levels))
}

/** JSON in which raw texts stand as they are, and characters that are no characters are written as escapes. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"«raw:([^»]*)»"/g, '$1')
}
