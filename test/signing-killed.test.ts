// The real processes, and a worker that dies as in a power cut at every named point of a signing.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { verifyHistory } from '#features/history/index.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import { makeInstallation, KEY, type Installation } from './installation.ts'
import { payload } from './signature-requests.ts'
import { Browser } from './signing-flow.ts'
import { until } from './until.ts'
import { unzip } from './unzip.ts'

const POINTS = ['before-key', 'after-key', 'before-file', 'after-file', 'before-event']
/** A killed worker's leases run for ten seconds before another takes over. */
const WITHIN_MS = 150_000

describe('a worker that is killed at every point of a signing', () => {
  let installation: Installation
  let url: string

  before(async () => {
    installation = await makeInstallation()
    url = `http://127.0.0.1:${installation.port}`
    const wishes = POINTS.map((point) => `signing:${point}@${join(installation.dataDir, `died-${point}`)}`)
    await installation.start({ COUNTERSIGN_FAILPOINT: wishes.join(',') })
  })
  after(async () => {
    await installation.end('SIGTERM')
    installation.remove()
  })

  const read = async (id: string) => (await installation.call('GET', `/signing/signaturerequest/${id}`)).json

  test('finishes the request with exactly one signature for each person', { timeout: 2 * WITHIN_MS }, async () => {
    const signatories = ['Aino', 'Björn'].map((firstName) => ({ firstName, email: `${firstName}@example.com` }))
    const body = payload({ signatories, deliveryMethods: ['Link'], signingAuthenticationStrength: 'None' })
    const { json, status, text } = await installation.call('POST', '/onestepsigning/signaturerequest', body)
    assert.equal(status, 202, text)
    const { id } = json
    const asked = await until('the invitation', async () => {
      const request = await read(id)
      return request.signatories.every(({ state }: { state: string }) => state === 'Invited') && request
    })
    for (const signatory of asked.signatories) {
      const link = `/signing/signaturerequest/${id}/signatory/${signatory.id}/link`
      const browser = new Browser(url)
      await browser.open((await installation.call('GET', link)).json.url)
      assert.equal((await browser.sign()).status, 202)
    }
    const patience = { withinMs: WITHIN_MS, everyMs: 200 }
    const closed = await until(
      'Closed',
      async () => {
        const request = await read(id)
        return request.status === 'Closed' && request
      },
      patience,
    )
    for (const point of POINTS) assert.ok(existsSync(join(installation.dataDir, `died-${point}`)), `it died ${point}`)
    await requireAgreement(id, closed)
  })

  async function requireAgreement(id: string, closed: { signatories: { state: string }[] }): Promise<void> {
    assert.deepEqual(
      closed.signatories.map(({ state }) => state),
      ['Signed', 'Signed'],
    )
    const path = `${url}/signing/signaturerequest/${id}/evidence`
    const response = await fetch(path, { headers: { 'ocp-apim-subscription-key': KEY } })
    const files = unzip(Buffer.from(await response.arrayBuffer()))
    const roots = [...files].filter(([name]) => name.startsWith('certificates/')).map(([, pem]) => derOf(pem))
    const document = files.get('documents/lease.pdf')!
    const report = await validatePdf(document, { trustAnchors: roots, time: new Date() })
    assert.equal(report.verdict, 'valid', JSON.stringify(report))
    const names = report.signatures.map(({ subject }) => subject ?? '')
    assert.equal(names.filter((name) => name.includes('Aino')).length, 1, 'one signature by the first')
    assert.equal(names.filter((name) => name.includes('Björn')).length, 1, 'one signature by the second')
    assert.equal(names.length, 3, 'and one seal')
    const history = JSON.parse(files.get('history.json')!.toString())
    assert.ok(verifyHistory([history], history.head.keys).isIntact)
    const types: string[] = history.items.map(({ eventType }: { eventType: string }) => eventType)
    assert.equal(types.filter((type) => type === 'signatorysigned').length, 2)
    assert.equal(types.filter((type) => type === 'signaturerequestcompleted').length, 1)
  }
})

function derOf(pem: Buffer): Buffer {
  return Buffer.from(pem.toString().replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
}
