// Every example of the documentation, run as a reader would run it, against a running service.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect, type Countersign } from '#client'
import { startDeliveryTests, type DeliveryTests } from '#features/hooks/testing/deliveries.ts'
import { verifyHistory } from '#features/history/index.ts'
import { compile, installClient } from '../client/installed-client.ts'
import { freePort } from '../free-port.ts'
import { PASSWORD, type TestService, type TestTenant } from '../service.ts'
import { Browser, startSigningService } from '../signing-flow.ts'
import { makePdf } from '../small-pdf.ts'
import { EXAMPLES, LANGUAGES, missing, start, type Language } from './programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-examples-'))
const home = join(folder, 'home')
const inFolder = (name: string) => join(folder, name)

/** Where the example is run from: those in TypeScript need the client beside them. */
const placeOf = (name: string, { extension }: Language) =>
  join(extension === 'ts' ? home : EXAMPLES, `${name}.${extension}`)

describe('examples', () => {
  before(async () => {
    await installClient({ built: inFolder('built'), into: home })
    // Not the settings by which they are read inside this repository.
    cpSync(EXAMPLES, home, { recursive: true, filter: (path) => !path.endsWith('.json') })
    writeFileSync(inFolder('document.pdf'), makePdf())
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  test('those in TypeScript compile, strictly', async () => {
    await compile(home, ['send-and-wait.ts', 'seal.ts', 'receive-webhook.ts', 'download-evidence.ts'])
  })

  describe('of signing and sealing', () => {
    let service: TestService
    let acme: TestTenant

    before(async () => {
      service = await startSigningService()
      acme = await service.createTenant()
    })
    after(() => service.stop())

    const run = (language: Language, name: string, ...args: string[]) =>
      start(language, placeOf(name, language), args, { API: service.url, KEY: acme.key })

    for (const language of LANGUAGES) {
      const { extension } = language
      test(`${extension}: send, sign, wait, and download the evidence`, { skip: missing(language) }, async () => {
        const signed = inFolder(`signed-${extension}.pdf`)
        const sending = run(language, 'send-and-wait', inFolder('document.pdf'), signed)
        const [, id, link] = await sending.says(/Request (\S+): ask Ada to open (\S+)/)
        const browser = new Browser(service.url)
        assert.equal((await browser.open(link!)).status, 204)
        await browser.pageIn('ready')
        assert.equal((await browser.sign()).status, 202)
        await sending.ends()
        assert.match(readFileSync(signed, 'latin1'), /^%PDF-[\s\S]+\/ETSI\.CAdES\.detached/)

        const [evidence, history] = [inFolder(`evidence-${extension}.zip`), inFolder(`history-${extension}.json`)]
        await run(language, 'download-evidence', id!, evidence, history).ends()
        assert.equal(readFileSync(evidence).subarray(0, 2).toString(), 'PK')
        const pages = JSON.parse(readFileSync(history, 'utf8'))
        assert.ok(verifyHistory(pages, pages.head.keys).isIntact)
      })

      test(`${extension}: seal`, { skip: missing(language) }, async () => {
        const sealed = inFolder(`sealed-${extension}.pdf`)
        await run(language, 'seal', inFolder('document.pdf'), sealed).ends()
        assert.ok(statSync(sealed).size > makePdf().length)
        assert.match(readFileSync(sealed, 'latin1'), /\/ETSI\.CAdES\.detached/)
      })

      test(`${extension}: what is refused ends the program, and says why`, { skip: missing(language) }, async () => {
        const wrong = start(language, placeOf('seal', language), [inFolder('document.pdf'), inFolder('none.pdf')], {
          API: service.url,
          KEY: 'csk_nobody',
        })
        await assert.rejects(wrong.ends(), /401|AuthenticationError|subscription key/)
      })
    }
  })

  describe('of webhooks', () => {
    let tests: DeliveryTests
    let countersign: Countersign

    before(async () => {
      tests = await startDeliveryTests()
      await tests.work()
      const { key, administratorEmail: login } = await tests.service.createTenant()
      countersign = connect({ url: tests.service.url, key, login: { login, password: PASSWORD } })
    })
    after(() => tests.stop())

    for (const language of LANGUAGES) {
      test(`${language.extension}: receive, verify, refuse`, { skip: missing(language) }, async () => {
        const port = await freePort()
        const uri = `http://127.0.0.1:${port}/hook`
        const subscription = { eventType: 'signatorysigned', uri } as const
        const { id: subscriptionId, secret } = await countersign.createSubscription(subscription)
        const receiver = await startReceiving(language, { port, secret })
        try {
          await countersign.testSubscription({ subscriptionId })
          await tests.until(async () => (await deliveries(subscriptionId)).some(({ state }) => state === 'delivered'))
          assert.match(receiver.output(), /signatorysigned.*SignatoryId/)
          const forged = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
          const headers = { ...forged, 'webhook-signature': 'v1,bm90aGluZw==' }
          assert.equal((await fetch(uri, { method: 'POST', headers, body: '{}' })).status, 400)
          assert.equal((await fetch(uri, { method: 'POST', body: '{}' })).status, 400)
        } finally {
          await receiver.stop()
        }
      })
    }

    const deliveries = async (subscriptionId: string) =>
      (await countersign.listDeliveries({ subscriptionId })).items.filter(({ isTest }) => isTest)
  })
})

type Receiving = { output(): string; stop(): Promise<void> | void }

async function startReceiving(
  language: Language,
  { port, secret }: { port: number; secret: string },
): Promise<Receiving> {
  const file = placeOf('receive-webhook', language)
  if (language.extension === 'sh') return serveByCgi(file, { port, secret })
  const program = start(language, file, [], { SECRET: secret, PORT: String(port) })
  await program.says(/Listening/)
  return program
}

/** A web server that runs the program for each request, in the manner of RFC 3875. */
async function serveByCgi(file: string, { port, secret }: { port: number; secret: string }): Promise<Receiving> {
  const log = inFolder('deliveries.txt')
  writeFileSync(log, '')
  const server = createServer((request, response) => {
    const child = spawn('sh', [file], {
      env: { PATH: process.env['PATH'], SECRET: secret, LOG: log, ...cgiHeaders(request) },
    })
    let answer = ''
    child.stdout.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    child.on('close', () => response.writeHead(Number(/^Status: (\d+)/.exec(answer)?.[1] ?? 500)).end())
    request.pipe(child.stdin)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { output: () => readFileSync(log, 'utf8'), stop }
}

function cgiHeaders({ headers }: IncomingMessage): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]) => [
    `HTTP_${name.toUpperCase().replaceAll('-', '_')}`,
    String(value),
  ])
  return Object.fromEntries(named)
}
