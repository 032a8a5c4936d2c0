// Machines whose clocks are hours away from the truth, and are set while they run: nothing expires early, nothing waits
// for a time that has come, and what is written down is when it happened.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, type TestDatabase } from './database.ts'
import { databaseEnvironment, makeMachineTenant, startMachine, type Machine, type MachineTenant } from './machines.ts'
import { PASSWORD, type Caller } from './service.ts'
import { create } from './signature-requests.ts'
import { Browser } from './signing-flow.ts'
import { until } from './until.ts'

const HOURS = 5
const HOUR_MS = 3_600_000
const CLOSE_MS = 120_000
const WITHIN = { everyMs: 50 }

describe('clocks that are wrong', () => {
  let database: TestDatabase
  let folder: string
  let tenant: MachineTenant
  const machines: Machine[] = []

  before(async () => {
    database = await createDatabase()
    folder = mkdtempSync(join(tmpdir(), 'countersign-clocks-'))
    tenant = await makeMachineTenant(database)
    const start = (part: 'serve' | 'work', hours: number) =>
      startMachine({
        part,
        preload: 'test/fixtures/moved-clock.mjs',
        environment: {
          ...databaseEnvironment(database),
          COUNTERSIGN_STORAGE: join(folder, 'documents'),
          MOVED_CLOCK_MS: String(hours * HOUR_MS),
        },
      })
    machines.push(...(await Promise.all([start('serve', HOURS), start('serve', -HOURS), start('work', HOURS)])))
  })
  after(async () => {
    await Promise.all(machines.map((machine) => machine.end('SIGKILL')))
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const east = () => machines[0]!.url
  const west = () => machines[1]!.url
  const moveAll = () => machines.forEach((machine) => machine.process.kill('SIGUSR2'))
  const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString()

  const read = async (call: Caller, id: string) => (await call('GET', `/signing/signaturerequest/${id}`)).json
  const invite = async (url: string) => {
    const call = tenant.at(url)
    const id = await create(call, { signingAuthenticationStrength: 'None', expirationDate: inAnHour() })
    await until('the invitation', async () => (await read(call, id)).signatories[0].state === 'Invited', WITHIN)
    return id
  }
  const openLink = async (url: string, id: string) => {
    const call = tenant.at(url)
    const { signatories } = await read(call, id)
    const link = await call('GET', `/signing/signaturerequest/${id}/signatory/${signatories[0].id}/link`)
    const browser = new Browser(url)
    assert.equal((await browser.open(link.json.url)).status, 204)
    return browser
  }

  test('do not keep a request from being signed, and its history tells when it happened', async () => {
    const startedAt = Date.now()
    const id = await invite(west())
    const browser = await openLink(west(), id)
    const elsewhere = new Browser(east())
    elsewhere.cookie = browser.cookie
    const signed = await elsewhere.sign()
    assert.ok(signed.status < 300, signed.text)
    await until('Closed', async () => (await read(tenant.at(east()), id)).status === 'Closed', WITHIN)
    const { json } = await tenant.at(west())('GET', `/event/signaturerequest/${id}`)
    const times: number[] = json.items.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp))
    assert.ok(times.length > 4)
    for (const at of times)
      assert.ok(at > startedAt - CLOSE_MS && at < Date.now() + CLOSE_MS, new Date(at).toISOString())
  })

  test('that are set while they run end no session, no token and no request, and hold up no work', async () => {
    const waiting = await invite(east())
    const browser = await openLink(east(), waiting)
    const login = { login: tenant.administratorEmail, password: PASSWORD }
    const { json } = await tenant.at(east())('POST', '/identity/login', login)
    moveAll()
    await sleep(6_000)
    const headers = { authorization: `Bearer ${json.token}` }
    for (const url of [east(), west()])
      assert.equal((await tenant.at(url)('GET', '/identity/me', undefined, { headers })).status, 200)
    assert.equal((await browser.get('/sign/api/request')).status, 200)
    assert.equal((await read(tenant.at(west()), waiting)).status, 'Open')
    await invite(west())
  })
})
