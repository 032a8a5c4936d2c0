// Receivers that take every delivery and let none of them end: those that answer hear of things as if there were none.
import assert from 'node:assert/strict'
import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Answering } from '../../../test/fakes/webhook-receiver.ts'
import type { TestTenant } from '../../../test/service.ts'
import { startDeliveryTests, type DeliveryTests } from './testing/deliveries.ts'

/** `npm run proof:attack` has two hundred, with the deadline that the product has, and looks at the clock. */
const PITS = Number(process.env['COUNTERSIGN_TAR_PITS'] ?? 9)
const IS_PROOF = PITS >= 100
const HEALTHY = 5
const EVENTS = IS_PROOF ? 60 : 6
const LONGEST_MS = 5_000
const CREATED = 'signaturerequestcreated'

const trickling: Answering = (_request, response) => {
  const timer = setInterval(() => response.write('a'), 1_000)
  response.on('close', () => clearInterval(timer))
}
const HUNDRED_MB = 100 * 1024 * 1024
const swelling: Answering = (_request, response) => {
  let sent = 0
  const more = (): void => {
    if (response.destroyed || sent >= HUNDRED_MB) return void response.end()
    sent += 64 * 1024
    response.write('x'.repeat(64 * 1024), () => setImmediate(more))
  }
  more()
}

describe('beside receivers that never come to an end', () => {
  let tests: DeliveryTests
  let acme: TestTenant
  let silent: Server
  const sockets = new Set<Socket>()

  before(async () => {
    tests = await startDeliveryTests()
    acme = await tests.service.createTenant('Acme')
    silent = createServer((socket) => void sockets.add(socket.on('error', () => {})))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  })
  after(async () => {
    await tests.stop()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => silent.close(resolve))
  })

  /** One that answers byte by byte, one that answers with a hundred megabytes, one with which TLS never comes about. */
  async function subscribePits(): Promise<void> {
    const [slow, large] = [await tests.startReceiver(), await tests.startReceiver()]
    slow.answer(trickling)
    large.answer(swelling)
    const addresses = [slow.url, large.url, `https://localhost:${(silent.address() as AddressInfo).port}/`]
    for (let n = 0; n < PITS; n++)
      await tests.subscribe(acme.asAdministrator, `${addresses[n % addresses.length]}?pit=${n}`)
  }

  test(`${PITS} of them: every other receiver gets everything`, async (t) => {
    await subscribePits()
    const healthy = await Promise.all(Array.from({ length: HEALTHY }, () => tests.startReceiver()))
    for (const { url } of healthy) await tests.subscribe(acme.asAdministrator, url)
    await tests.work(IS_PROOF ? {} : { totalMs: 5_000 })
    const begun = new Map<string, number>()
    for (let n = 0; n < EVENTS; n++) {
      begun.set(await tests.begin(acme, [CREATED]), performance.now())
      await tests.until(() => performance.now() - [...begun.values()].at(-1)! > 100)
    }
    // On a machine that is busy one may come twice: it took too long the first time.
    await tests.until(() => healthy.every(({ received }) => new Set(received.map(({ id }) => id)).size === EVENTS))
    const tookMs = healthy
      .flatMap(({ received }) => received)
      .map(({ at, body }) => at - begun.get(JSON.parse(body).EventData.SignatureRequestId)!)
      .toSorted((one, other) => one - other)
    const p99 = tookMs[Math.ceil(tookMs.length * 0.99) - 1]!
    t.diagnostic(`p99 ${Math.round(p99)} ms beside ${PITS} receivers without end, n = ${tookMs.length}`)
    if (IS_PROOF) assert.ok(p99 <= LONGEST_MS, `${p99} ms`)
  })
})
