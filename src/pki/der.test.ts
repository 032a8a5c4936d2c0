import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { openssl, withoutOpenssl } from '../../test/fakes/openssl.ts'
import {
  bitString,
  boolean,
  element,
  explicit,
  generalizedTime,
  implicit,
  integer,
  namedBits,
  nullValue,
  octetString,
  oid,
  printableString,
  sequence,
  setOf,
  time,
  utf8String,
} from './der.ts'
import { cutDer, readDer } from './der-reader.ts'
import { DerError, PkiError } from './errors.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('the DER writer', () => {
  // Encodings worked out by hand from X.690, or printed in RFC 5280 and RFC 8017.
  const cases: [name: string, encoded: Buffer, expected: string][] = [
    ['zero', integer(0), '02 01 00'],
    ['127', integer(127), '02 01 7f'],
    ['128 gets a leading zero', integer(128), '02 02 00 80'],
    ['-1', integer(-1), '02 01 ff'],
    ['-129', integer(-129), '02 02 ff 7f'],
    ['unsigned bytes lose leading zeros', integer(hex('00 00 80 01')), '02 03 00 80 01'],
    ['an object identifier', oid('1.2.840.113549'), '06 06 2a 86 48 86 f7 0d'],
    ['an object identifier below 2.999', oid('2.999.3'), '06 03 88 37 03'],
    ['true', boolean(true), '01 01 ff'],
    ['null', nullValue(), '05 00'],
    ['key usage certSign and crlSign', namedBits([5, 6]), '03 02 01 06'],
    ['no named bits', namedBits([]), '03 01 00'],
    ['a bit string', bitString(hex('aa')), '03 02 00 aa'],
    ['a set sorts', setOf([integer(2), integer(1)]), '31 06 02 01 01 02 01 02'],
    ['an explicit tag', explicit(3, integer(1)), 'a3 03 02 01 01'],
    ['an implicit primitive tag', implicit(6, printableString('a')), '86 01 61'],
    ['an implicit constructed tag', implicit(0, sequence()), 'a0 00'],
    ['UTCTime', time(new Date('2049-12-31T23:59:59Z')), '17 0d 34 39 31 32 33 31 32 33 35 39 35 39 5a'],
    ['GeneralizedTime from 2050', time(new Date('2050-01-01T00:00:00Z')), '18 0f 32303530303130313030303030305a'],
    ['a length of 128', element(4, Buffer.alloc(128)).subarray(0, 3), '04 81 80'],
    ['a length of 65536', element(4, Buffer.alloc(65_536)).subarray(0, 5), '04 83 01 00 00'],
  ]
  for (const [name, encoded, expected] of cases) {
    test(name, () => assert.equal(encoded.toString('hex'), expected.replaceAll(' ', '')))
  }

  test('what is no object identifier or time is refused', () => {
    for (const bad of ['', '1', '3.1', '1.40', 'a.b', '1..2', '1.2.']) assert.throws(() => oid(bad), PkiError)
    assert.throws(() => generalizedTime(new Date(Number.NaN)), PkiError)
  })

  test('openssl reads what we write', { skip: withoutOpenssl }, () => {
    const { text, ok } = openssl(['asn1parse', '-inform', 'DER', '-in', 'a.der'], {
      'a.der': sequence(
        integer(-129),
        oid('2.25.217431559814460275336470412984615734206.1.1'),
        utf8String('Ääkköset'),
        time(new Date('2031-02-03T04:05:06Z')),
        setOf([octetString(Buffer.from('b')), octetString(Buffer.from('a'))]),
      ),
    })
    assert.ok(ok, text)
    assert.match(text, /INTEGER\s+:-81/)
    assert.match(text, /OBJECT\s+:2\.25\.217431559814460275336470412984615734206\.1\.1/)
    assert.match(text, /UTF8STRING\s+:Ääkköset/)
    assert.match(text, /UTCTIME\s+:310203040506Z/)
  })
})

describe('the DER reader', () => {
  const refused: [name: string, bytes: string, reason: string][] = [
    ['nothing', '', 'truncated'],
    ['a tag alone', '30', 'truncated'],
    ['content that ends early', '04 05 00', 'truncated'],
    ['a length that ends early', '04 82 01', 'truncated'],
    ['bytes after the structure', '05 00 00', 'trailing-bytes'],
    ['an indefinite length', '30 80 00 00', 'indefinite-length'],
    ['an indefinite length inside', '30 04 30 80 00 00', 'indefinite-length'],
    ['a length in long form that fits the short', '04 81 01 00', 'length-not-minimal'],
    ['a length with a leading zero', '04 82 00 80', 'length-not-minimal'],
    ['a length of five bytes', '04 85 01 00 00 00 00', 'too-large'],
    ['a high tag number', '1f 81 01 00', 'high-tag-number'],
    ['a child longer than its parent', '30 03 04 02 00', 'truncated'],
  ]
  for (const [name, bytes, reason] of refused) {
    test(`refuses ${name}`, () => assert.throws(() => readDer(hex(bytes)), { name: 'DerError', reason }))
  }

  const badValues: [name: string, read: () => unknown][] = [
    ['a padded integer', () => readDer(hex('02 02 00 01')).integerBytes],
    ['an empty integer', () => readDer(hex('02 00')).integerBytes],
    ['a boolean other than 00 and FF', () => readDer(hex('01 01 01')).boolean],
    ['an object identifier that ends in the middle', () => readDer(hex('06 01 80')).oid],
    ['30 February', () => readDer(element(0x17, Buffer.from('250230000000Z'))).time()],
    ['a time without Z', () => readDer(element(0x17, Buffer.from('2502100000000'))).time()],
    ['a fraction where none is allowed', () => readDer(element(0x18, Buffer.from('20250210000000.5Z'))).time()],
    [
      'a fraction with a trailing zero',
      () => readDer(element(0x18, Buffer.from('20250210000000.50Z'))).time({ withFraction: true }),
    ],
    ['broken UTF-8', () => readDer(element(0x0c, hex('c3 28'))).text],
    ['a second field where one is expected', () => readDer(sequence(integer(1), integer(2))).only],
  ]
  for (const [name, read] of badValues) test(`refuses ${name}`, () => assert.throws(read, { name: 'DerError' }))

  test('limits depth, size and count', () => {
    let deep = nullValue()
    for (let level = 0; level < 40; level++) deep = sequence(deep)
    assert.throws(() => readDer(deep), { reason: 'too-deep' })
    assert.throws(() => readDer(octetString(Buffer.alloc(100)), { maxBytes: 50 }), { reason: 'too-large' })
    const many = sequence(...Array.from({ length: 20 }, () => nullValue()))
    assert.throws(() => readDer(many, { maxElements: 10 }), { reason: 'too-many-elements' })
    assert.equal(readDer(many).children.length, 20)
  })

  test('cuts zero padding and nothing else', () => {
    assert.deepEqual(cutDer(hex('05 00 00 00 00')), hex('05 00'))
    assert.throws(() => cutDer(hex('05 00 00 01')), { reason: 'trailing-bytes' })
  })

  test('a fraction of a second is read where RFC 3161 allows it', () => {
    const at = readDer(element(0x18, Buffer.from('20250210000000.125Z'))).time({ withFraction: true })
    assert.equal(at.toISOString(), '2025-02-10T00:00:00.125Z')
  })

  test('integers come back as they were', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 47), max: 2 ** 47 - 1 }), (value) => {
        assert.equal(readDer(integer(value)).smallInteger(), value)
      }),
    )
  })

  test('object identifiers come back as they were', () => {
    const arcs = fc.tuple(
      fc.constant('2'),
      fc.array(fc.bigInt({ min: 0n, max: 2n ** 128n }), { minLength: 1, maxLength: 3 }),
    )
    fc.assert(
      fc.property(arcs, ([first, rest]) => {
        const dotted = [first, ...rest].join('.')
        assert.equal(readDer(oid(dotted)).oid, dotted)
      }),
    )
  })

  test('times and texts come back as they were', () => {
    const seconds = fc.integer({ min: -631_152_000, max: 253_402_300_799 })
    fc.assert(
      fc.property(seconds, fc.string({ unit: 'grapheme' }), (second, text) => {
        assert.equal(
          readDer(time(new Date(second * 1000)))
            .time()
            .getTime(),
          second * 1000,
        )
        assert.equal(readDer(utf8String(text)).text, text)
      }),
    )
  })

  test('whatever the bytes, reading ends with a value or a DerError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          walk(readDer(Buffer.from(bytes)))
        } catch (error) {
          assert.ok(error instanceof DerError)
        }
      }),
    )
  })
})

function walk(node: ReturnType<typeof readDer>): void {
  if (node.tag & 0x20) for (const child of node.children) walk(child)
}
