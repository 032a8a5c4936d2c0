// A timestamp authority that sends a long chain of certificates with every token.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeTestAuthority } from '#pades/testing/authority.ts'
import { certificatePem } from '../../../test/fakes/openssl.ts'
import { startTimestampServer, type TimestampServer } from '../../../test/fakes/timestamp-server.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { invite, openLink, untilStatus } from '../../../test/signing-flow.ts'
import { makePdf } from '../../../test/small-pdf.ts'

describe('signing with large timestamps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-tsa-'))
  let service: TestService
  let tenant: TestTenant
  let server: TimestampServer

  before(async () => {
    const { tsaSigner } = await makeTestAuthority('ES256', new Date())
    // The same one again and again: others would have to be trusted as well.
    const chain = Array.from({ length: 60 }, () => tsaSigner.certificate)
    const file = join(folder, 'authority.pem')
    writeFileSync(file, certificatePem(tsaSigner.certificate))
    server = await startTimestampServer({ ...tsaSigner, chain }, () => service.clock.now())
    service = await startService({ COUNTERSIGN_TSA_URL: server.url, COUNTERSIGN_TSA_CA_FILE: file })
    service.startWorker()
    tenant = await service.createTenant()
  })
  after(async () => {
    await service.stop()
    await server.close()
    rmSync(folder, { recursive: true })
  })

  test('tokens of tens of kilobytes get the room that they need, and what had too little is abandoned', async () => {
    const documents = ['One', 'Two'].map((title) => ({
      title,
      fileName: `${title}.pdf`,
      contentBase64: makePdf(title).toString('base64'),
    }))
    const { requestId, signatoryIds } = await invite(tenant, { documents })
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    assert.equal((await browser.sign()).status, 202)
    const request = await untilStatus(tenant, requestId, 'Closed')
    assert.deepEqual(
      request.documents.map(({ levelReached }: { levelReached: string }) => levelReached),
      ['B-LTA', 'B-LTA'],
    )
    const intents = await service.database.asOwner(
      'select state, count(*)::int as amount from signature_intent where request_id = $1 group by state order by state',
      [requestId],
    )
    // By the person, by the seal, and the seal on the evidence.
    assert.deepEqual(intents, [
      { state: 'abandoned', amount: 5 },
      { state: 'used', amount: 5 },
    ])
  })
})
