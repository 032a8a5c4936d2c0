import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { makeKeyring } from '#platform/secrets/keyring.ts'
import { randomBytes } from 'node:crypto'
import type { TestService, TestTenant } from '../../../test/service.ts'
import { codeSentTo, invite, openLink, startSigningService, type Browser } from '../../../test/signing-flow.ts'
import { makeCode, maskAddress } from './code.ts'

const MINUTE_MS = 60_000

describe('one-time codes', () => {
  let service: TestService
  let tenant: TestTenant

  before(async () => {
    service = await startSigningService()
    tenant = await service.createTenant()
  })
  after(() => service.stop())

  async function begin(): Promise<{
    browser: Browser
    code: () => Promise<string>
    requestId: string
    signatoryId: string
  }> {
    const { requestId, signatoryIds } = await invite(tenant, { readingAuthenticationStrength: 'Email' })
    const signatoryId = signatoryIds[0]!
    const browser = await openLink(service, tenant, requestId, signatoryId)
    return { browser, code: () => codeSentTo(service, tenant, requestId, signatoryId), requestId, signatoryId }
  }
  const ask = (browser: Browser) => browser.post('/sign/api/code', { purpose: 'reading' })
  const enter = (browser: Browser, code: string) => browser.post('/sign/api/code/verify', { purpose: 'reading', code })
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

  test('let a person in, once, and say where they went without telling the address', async () => {
    const { browser, code } = await begin()
    const sent = await ask(browser)
    assert.deepEqual(
      [sent.status, sent.json.channel, sent.json.sentTo, sent.json.codesLeft],
      [202, 'email', 'a•••@example.com', 4],
    )
    const digits = await code()
    assert.match(digits, /^\d{6}$/)
    assert.equal((await enter(browser, digits)).status, 204)
    assert.equal((await browser.page()).state, 'ready')
    assert.equal((await enter(browser, digits)).json.code, 1951, 'a code is used once')
  })

  test('are compared five times at most, however many guesses come at once', async () => {
    const { browser, code } = await begin()
    await ask(browser)
    const digits = await code()
    const guesses = await Promise.all(Array.from({ length: 40 }, () => enter(browser, wrong(digits))))
    assert.ok(guesses.every(({ status }) => status === 400))
    const compared = guesses.filter(({ json }) => json.code === 1950)
    assert.equal(compared.length, 5)
    assert.deepEqual(
      compared.map(({ json }) => Number(json.triesLeft)).sort((a, b) => a - b),
      [0, 1, 2, 3, 4],
    )
    assert.equal((await enter(browser, digits)).status, 400, 'the right one comes too late')
  })

  test('a new one does not set the count back: fifteen in all, then no more', async () => {
    const { browser, code } = await begin()
    let compared = 0
    for (let round = 0; round < 3; round++) {
      assert.equal((await ask(browser)).status, 202)
      const digits = await code()
      const guesses = await Promise.all(Array.from({ length: 8 }, () => enter(browser, wrong(digits))))
      compared += guesses.filter(({ json }) => json.code === 1950).length
    }
    assert.equal(compared, 15)
    assert.equal((await ask(browser)).json.code, 1952)
  })

  test('are sent five times an hour, however many ask at once', async () => {
    const { browser } = await begin()
    const asked = await Promise.all(Array.from({ length: 12 }, () => ask(browser)))
    assert.equal(asked.filter(({ status }) => status === 202).length, 5)
    assert.ok(asked.every(({ status, json }) => status === 202 || json.code === 7951))
  })

  test('end after ten minutes, and when a newer one was asked for', async () => {
    const { browser, code } = await begin()
    await ask(browser)
    const old = await code()
    await ask(browser)
    const newer = await code()
    if (old !== newer) assert.equal((await enter(browser, old)).json.code, 1950)
    service.clock.advance(10 * MINUTE_MS + 1000)
    assert.equal((await enter(browser, newer)).json.code, 1951)
  })

  test('that still wait to be sent when their request ends are not sent any more', async () => {
    const { browser, code, requestId } = await begin()
    await ask(browser)
    await code()
    const canceled = await tenant.call('POST', `/signing/signaturerequest/${requestId}/cancel`, {})
    assert.equal(canceled.status, 200)
    await assert.rejects(code(), /can not be told any more/)
  })

  test('belong to one person, one request, one session and one purpose', async () => {
    const { browser, code, requestId, signatoryId } = await begin()
    await ask(browser)
    const digits = await code()
    const secondTab = await openLink(service, tenant, requestId, signatoryId)
    assert.equal((await enter(secondTab, digits)).json.code, 1951, 'another session')
    const elsewhere = await begin()
    assert.equal((await enter(elsewhere.browser, digits)).json.code, 1951, 'another request')
    const forSigning = await browser.post('/sign/api/code/verify', { purpose: 'signing', code: digits })
    assert.equal(forSigning.json.code, 1951, 'another purpose')
    assert.equal((await enter(browser, digits)).status, 204)
  })

  test('are not sent where none is wanted', async () => {
    const { browser } = await begin()
    const early = await browser.post('/sign/api/code', { purpose: 'signing' })
    assert.equal(early.json.code, 6951, 'reading comes first')
    const { requestId, signatoryIds } = await invite(tenant)
    const free = await openLink(service, tenant, requestId, signatoryIds[0]!)
    for (const purpose of ['reading', 'signing'])
      assert.equal((await free.post('/sign/api/code', { purpose })).json.code, 7950)
    for (const body of [
      { purpose: 'both' },
      {},
      { purpose: 'reading', code: '12345' },
      { purpose: 'reading', code: 123456 },
    ])
      assert.equal((await free.post('/sign/api/code/verify', body)).json.code, 1000)
  })

  test('are not in the database in any form that tells them', async () => {
    const { browser, code } = await begin()
    await ask(browser)
    const digits = await code()
    const rows = await service.database.asOwner(`select to_jsonb(c) as row from signer_code c`)
    const messages = await service.database.asOwner(`select to_jsonb(m) as row from message m`)
    const values = [...rows, ...messages].flatMap(({ row }) => Object.values(row as object).map(String))
    assert.ok(values.every((value) => value !== digits))
  })

  test('are six digits, spread evenly, different for every purpose', () => {
    const keyring = makeKeyring('a secret key that is used in tests alone')
    const owner = { codeId: newId(), signatoryId: newId(), sessionId: newId(), purpose: 'reading' as const }
    const codes = Array.from({ length: 3000 }, () => makeCode(keyring, { ...owner, salt: randomBytes(32) }))
    assert.ok(codes.every((code) => /^\d{6}$/.test(code)))
    assert.ok(new Set(codes).size > 2950)
    const firsts = Map.groupBy(codes, (code) => code[0])
    for (const group of firsts.values()) assert.ok(group.length > 200 && group.length < 400)
    const salt = randomBytes(32)
    assert.notEqual(makeCode(keyring, { ...owner, salt }), makeCode(keyring, { ...owner, salt, purpose: 'signing' }))
    assert.equal(maskAddress('sms', '+358401234567'), '+358•••67')
  })
})
