// Commands that speak to a running service: seal, demo, hooks listen.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { verifyWebhook } from '#client'
import { trustAnchors } from '#features/certificates/index.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import { openShell, type Shell } from '../../../test/command-line.ts'
import { freePort } from '../../../test/free-port.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { create } from '../../../test/signature-requests.ts'
import { until } from '../../../test/until.ts'
import { makePdf } from '../../../test/small-pdf.ts'

describe('commands that speak to a service', () => {
  let service: TestService
  let tenant: TestTenant
  let folder: string
  let shell: Shell

  before(async () => {
    service = await startService({}, { worker: { delivers: true } })
    tenant = await service.createTenant()
    folder = mkdtempSync(join(tmpdir(), 'countersign-service-commands-'))
    shell = openShell({ COUNTERSIGN_DATA: folder, COUNTERSIGN_SUBSCRIPTION_KEY: tenant.key })
    writeFileSync(join(folder, 'report.pdf'), makePdf('A report'))
    writeFileSync(join(folder, 'letter.txt'), 'hello')
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true })
  })
  const at = () => ['--url', service.url]
  const path = (name: string) => join(folder, name)

  describe('seal', () => {
    test('brings back a file that our validator finds good, and overwrites nothing', async () => {
      const sealed = await shell('seal', path('report.pdf'), ...at(), '--json')
      assert.equal(sealed.exitCode, 0, sealed.out + sealed.err)
      assert.equal(sealed.json.output, path('report-sealed.pdf'))
      const anchors = await trustAnchors(service.platform)
      const time = new Date(Date.now() + 1000)
      const report = await validatePdf(readFileSync(sealed.json.output), { trustAnchors: anchors, time })
      assert.equal(report.verdict, 'valid')
      const again = await shell('seal', path('report.pdf'), ...at())
      assert.equal(again.exitCode, 1)
      assert.match(again.err, /is there already/)
      const elsewhere = await shell('seal', path('report.pdf'), '--output', path('other.pdf'), ...at())
      assert.equal(elsewhere.exitCode, 0, elsewhere.err)
      assert.ok(existsSync(path('other.pdf')))
    })

    test('takes the key from a file, or from what the first start wrote down', async () => {
      writeFileSync(path('key'), `${tenant.key}\n`)
      const keyless = openShell({ COUNTERSIGN_DATA: folder })
      const args = ['seal', path('report.pdf'), '--output']
      const byFile = await keyless(...args, path('by-file.pdf'), '--key-file', path('key'), ...at())
      assert.equal(byFile.exitCode, 0, byFile.err)
      writeFileSync(path('first-start.txt'), `tenant  1\nsubscription key  ${tenant.key}\n`)
      const byNote = await keyless(...args, path('by-note.pdf'), ...at())
      assert.equal(byNote.exitCode, 0, byNote.err)
      rmSync(path('first-start.txt'))
      const without = await keyless(...args, path('without.pdf'), ...at())
      assert.equal(without.exitCode, 2)
      assert.match(without.err, /a subscription key is needed/)
    })

    for (const [what, args, exitCode, words] of [
      ['no file', () => [], 2, /FILE is missing/],
      ['a file that is not there', () => [path('none.pdf'), ...at()], 1, /ENOENT/],
      [
        'what can’t be sealed',
        () => [path('letter.txt'), ...at()],
        1,
        /it could not be sealed: This file is not a PDF/,
      ],
      ['an address that is none', () => [path('report.pdf'), '--url', 'here', '--output', path('x.pdf')], 2, /--url/],
      ['a key as an argument', () => [path('report.pdf'), '--key', 'csk_x'], 2, /Unknown option/],
    ] as const) {
      test(`refuses ${what}`, async () => {
        const outcome = await shell('seal', ...args())
        assert.equal(outcome.exitCode, exitCode, outcome.err)
        assert.match(outcome.err, words)
      })
    }

    test('a key that the service does not know is refused in its words', async () => {
      const stranger = openShell({ COUNTERSIGN_DATA: folder, COUNTERSIGN_SUBSCRIPTION_KEY: 'x'.repeat(40) })
      const outcome = await stranger('seal', path('report.pdf'), '--output', path('y.pdf'), ...at())
      assert.equal(outcome.exitCode, 1)
      assert.match(outcome.err, /the service refuses/)
    })
  })

  describe('demo', () => {
    test('leaves a request in every state, the signed ones with real signatures', async () => {
      const { exitCode, json, err, out } = await shell('demo', ...at(), '--json')
      assert.equal(exitCode, 0, out + err)
      const statuses = (json.requests as { status: string }[]).map(({ status }) => status)
      assert.deepEqual(statuses, ['Closed', 'Closed', 'Open', 'Open', 'Closed', 'Canceled', 'Canceled', 'Draft'])
      const { json: request } = await tenant.call('GET', `/signing/signaturerequest/${json.requests[0].id}`)
      const uri = request.documents[0].documentURI
      const response = await fetch(`${service.url}/storage/document/${uri}`, {
        headers: { 'ocp-apim-subscription-key': tenant.key },
      })
      const anchors = await trustAnchors(service.platform, { tenantId: tenant.tenantId })
      const file = Buffer.from(await response.arrayBuffer())
      const report = await validatePdf(file, { trustAnchors: anchors, time: new Date(Date.now() + 1000) })
      assert.equal(report.verdict, 'valid')
      assert.deepEqual(
        report.signatures.slice(0, 2).map(({ subject }) => subject),
        ['Maria Lindqvist', 'Thomas Becker'],
      )
      const messages = await service.database.asOwner('select kind from message where channel <> $1', ['none'])
      assert.deepEqual(messages, [], 'nobody gets a message')
    })

    test('refuses what it can’t do', async () => {
      for (const args of [['--count', '0'], ['--count', 'many'], ['--count', '501'], ['everything']]) {
        assert.equal((await shell('demo', ...args, ...at())).exitCode, 2, args.join(' '))
      }
      const nobody = await shell('demo', '--count', '1', '--url', 'http://127.0.0.1:1')
      assert.equal(nobody.exitCode, 1)
      assert.match(nobody.err, /no service answers at http:\/\/127\.0\.0\.1:1/)
    })
  })

  describe('hooks listen', () => {
    type Got = { headers: IncomingHttpHeaders; body: string }
    const got: Got[] = []
    let receiver: Server
    let forward: string
    before(async () => {
      receiver = createServer((request, response) => {
        void text(request).then((body) => {
          got.push({ headers: request.headers, body })
          response.writeHead(got.length === 1 ? 500 : 204).end()
        })
      })
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
      forward = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`
    })
    after(() => receiver.close())

    /** Behind everything that has happened until now. */
    const endOfFeed = async (): Promise<string> => {
      const waiting = () => service.database.asOwner('select 1 from outbox limit 1')
      await until('every event to be handed out', async () => (await waiting()).length === 0)
      return (await tenant.call('GET', '/event?pageSize=500')).json.cursor
    }

    test('posts each event as a webhook would: the same body, signed, in order', async () => {
      const cursor = await endOfFeed()
      const id = await create(tenant.call)
      const args = ['--forward', forward, '--after', cursor, '--count', '2']
      const outcome = await shell('hooks', 'listen', ...args, ...at())
      assert.equal(outcome.exitCode, 0, outcome.err)
      const secret = /Secret of the signatures: (\S+)/.exec(outcome.err)![1]!
      assert.equal(got.length, 2)
      const events = await Promise.all(got.map(({ headers, body }) => verifyWebhook({ headers, body, secret })))
      assert.deepEqual(
        events.map(({ EventData }) => (EventData as { SignatureRequestId: string }).SignatureRequestId),
        [id, id],
      )
      assert.deepEqual(
        got.map(({ headers }) => headers['countersign-sequence']),
        ['1', '2'],
      )
      assert.match(outcome.err, /→ 500\n/)
      assert.match(outcome.err, /→ 204\n/)
    })

    test('says where nobody answers, and goes on', async () => {
      const cursor = await endOfFeed()
      await create(tenant.call)
      const args = ['--forward', `http://127.0.0.1:${await freePort()}/`, '--after', cursor, '--count', '2']
      const outcome = await shell('hooks', 'listen', ...args, ...at())
      assert.equal(outcome.exitCode, 0)
      assert.equal(outcome.err.match(/no answer \(ECONNREFUSED\)/g)?.length, 2, outcome.err)
    })

    for (const [what, args, exitCode, words] of [
      ['nowhere to forward to', ['listen'], 2, /--forward is missing/],
      ['an address that is none', ['listen', '--forward', 'ftp://x'], 2, /--forward must be/],
      ['a count that is none', ['listen', '--forward', 'http://x', '--count', '0'], 2, /--count must be/],
      ['a cursor of somebody else', ['listen', '--forward', 'http://x', '--after', 'AQ'], 1, /the service refuses/],
      ['something else', ['shout'], 2, /there is no "shout" here/],
    ] as const) {
      test(`refuses ${what}`, async () => {
        const outcome = await shell('hooks', ...args, ...(args.length > 1 ? at() : []))
        assert.equal(outcome.exitCode, exitCode, outcome.err)
        assert.match(outcome.err, words)
      })
    }
  })
})
