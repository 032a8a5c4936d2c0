import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PkiError } from '#pki/errors.ts'
import { requestTimestamp } from '#pki/timestamp.ts'
import { makeTestChain } from './pki.ts'
import { startTimestampServer, type TimestampServer } from './timestamp-server.ts'

const now = new Date('2026-03-01T12:00:00Z')

describe('a timestamp authority behind HTTP', () => {
  let server: TimestampServer
  before(async () => {
    const { timestamp } = await makeTestChain({ now })
    server = await startTimestampServer(timestamp, () => now)
  })
  after(() => server.close())

  const send = async (body: Buffer) => {
    const headers = { 'content-type': 'application/timestamp-query' }
    const response = await fetch(server.url, {
      method: 'POST',
      body: Uint8Array.from(body),
      headers,
      signal: AbortSignal.timeout(server.fault === 'silent' ? 300 : 60_000),
    })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return Buffer.from(await response.arrayBuffer())
  }
  const ask = () => requestTimestamp({ hash: 'sha256', digest: Buffer.alloc(32, 9), now }, { send })

  test('answers', async () => {
    server.fault = undefined
    assert.deepEqual((await ask()).info.time, now)
  })

  for (const fault of ['html', 'wrong-digest', 'wrong-nonce', 'broken-signature'] as const) {
    test(`that is faulty (${fault}) is not believed`, async () => {
      server.fault = fault
      await assert.rejects(ask(), PkiError)
    })
  }

  for (const fault of ['unavailable', 'silent'] as const) {
    test(`that does not answer (${fault}) is the transport's error`, async () => {
      server.fault = fault
      await assert.rejects(ask(), (error) => !(error instanceof PkiError))
    })
  }
})
