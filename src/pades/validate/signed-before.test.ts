// Documents that others have signed before us: each of their signatures stays good, and not a byte of theirs is touched.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { SignatureAlgorithm } from '#pki/algorithms.ts'
import { makePdf, type DocumentShape } from '../testing/documents.ts'
import { makeWorld, type World } from './testing/world.ts'

const MOST = 5
const ALGORITHMS: readonly SignatureAlgorithm[] = ['ES256', 'ES384']
const SHAPES: Record<string, DocumentShape> = {
  'a table': {},
  'object streams': { xref: 'stream', objectStream: true },
}

describe('a document that was signed before', () => {
  let world: World
  before(async () => {
    world = await makeWorld()
  })

  const signBy = async (pdf: Buffer, number: number) => {
    const signer = await world.signatory(`Person ${number}`, ALGORITHMS[number % ALGORITHMS.length])
    return world.sign(pdf, { signer, field: { name: `Person ${number}` } })
  }

  for (const [shape, options] of Object.entries(SHAPES)) {
    test(`with ${shape}, by one to ${MOST} people: all of it stays valid under a seal that is appended`, async () => {
      let given = makePdf(options)
      for (let people = 1; people <= MOST; people++) {
        given = await signBy(given, people)
        const sealed = await world.sign(given, { signer: await world.seal(), field: { name: 'Seal' } })
        assert.ok(sealed.subarray(0, given.length).equals(given), 'what was given is its beginning')
        const { verdict, signatures } = await world.validate(sealed)
        assert.equal(verdict, 'valid')
        assert.deepEqual(
          signatures.map(({ fieldName, indication }) => [fieldName, indication]),
          [...Array.from({ length: people }, (_, index) => `Person ${index + 1}`), 'Seal'].map((name) => [
            name,
            'TOTAL-PASSED',
          ]),
        )
      }
    })
  }
})
