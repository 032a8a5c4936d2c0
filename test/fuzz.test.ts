// Requests that nobody would write, for every operation of the document; `npm run fuzz` sends more of them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { makeMetrics } from '#platform/http/metrics.ts'
import { describeApi } from '#platform/http/openapi/describe-api.ts'
import { Answer, route, type Route } from '#platform/http/route.ts'
import { Optional, Text, Type, Uuid } from '#platform/http/schema.ts'
import { buildServer } from '#platform/http/server.ts'
import { apiDocument, type ApiDocument } from './contract/documented.ts'
import { operationsOf, requestFor } from './fuzz/requests.ts'
import { describeOutcome, fuzz } from './fuzz/run.ts'
import { makeTarget, type Target } from './fuzz/target.ts'

const EACH = 30
/** Beside all the other tests, on whatever machine; `npm run fuzz` is stricter. */
const slowestMs = 20_000
/** The same requests every time, so that a change is what breaks it; `npm run fuzz` draws new ones. */
const seed = Number(process.env['COUNTERSIGN_FUZZ_SEED'] ?? 944_694_340)

describe('the fuzzer', () => {
  let target: Target

  before(async () => {
    target = await makeTarget()
  })
  after(() => target.service.stop())

  test('finds nothing: no 5xx, no undocumented status, no broken schema, nothing of the inside, nothing slow', async (t) => {
    const { service, ...rest } = target
    const outcome = await fuzz({ document: apiDocument, url: service.url, seed, each: EACH, slowestMs, ...rest })
    t.diagnostic(describeOutcome(outcome))
    assert.equal(outcome.findings.length, 0, describeOutcome(outcome))
    const accepted = Object.entries(outcome.statuses).filter(([status]) => Number(status) < 300)
    const acceptedCount = accepted.reduce((sum, [, count]) => sum + count, 0)
    assert.ok(acceptedCount > outcome.requests / 5, 'hardly anything was accepted: it only scratches at the door')
  })

  const body = Type.Object({ name: Text(), count: Optional(Type.Integer()), id: Optional(Uuid()) })
  const answer = Type.Object({ name: Type.String() })
  const plant = (handle: Route['handle']): Route =>
    route({
      method: 'POST',
      url: '/planted',
      summary: 'Plant a fault',
      tag: 'Signing',
      permission: 'metadata:write',
      body,
      response: { 200: answer },
      handle,
    })
  type Given = { name: string; count?: number }
  const faults: [what: string, handle: Route['handle'], caught: RegExp][] = [
    [
      'throws on a negative number',
      async (_work, { body }) => {
        if (((body as Given).count ?? 0) < 0) throw new Error('planted')
        return { name: 'x' }
      },
      /answered 500/,
    ],
    ['answers with another shape', async () => ({ title: 'x' }), /breaks its schema/],
    [
      'answers with a status that nobody wrote down',
      async () => new Answer(418, { name: 'x' }),
      /418 is not documented/,
    ],
    ['shows where it failed', async () => ({ name: new Error('planted').stack }), /shows the inside/],
  ]
  for (const [what, handle, caught] of faults) {
    test(`catches an operation that ${what}`, async () => {
      const { service, ...rest } = target
      const planted = [plant(handle)]
      const app = buildServer({ platform: service.platform, routes: planted, metrics: makeMetrics() })
      try {
        const url = await app.listen({ port: 0, host: '127.0.0.1' })
        const document = describeApi(planted, { version: '1.0.0' }) as unknown as ApiDocument
        const outcome = await fuzz({ document, url, seed, each: 100, ...rest })
        assert.ok(
          outcome.findings.some((finding) => finding.faults.some((fault) => caught.test(fault))),
          describeOutcome(outcome),
        )
      } finally {
        await app.close()
      }
    })
  }

  test('sends the same requests for the same seed', () => {
    const draw = () => operationsOf(apiDocument).map((fuzzed) => fc.sample(requestFor(fuzzed), { seed, numRuns: 5 }))
    assert.deepEqual(draw(), draw())
  })
})
