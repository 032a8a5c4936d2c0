// A tenant whose account is abused: shut out by one command, let in again by another.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sendMessage } from '#features/messages/index.ts'
import { stopTenant, withdrawAll } from '#features/onboarding/index.ts'
import { cancelOpenRequests } from '#features/signing/index.ts'
import { NIL_UUID } from '#platform/ids.ts'
import { environmentOf, openShell, type Shell } from '../../../test/command-line.ts'
import { signedIn } from '../../../test/console-browser.ts'
import { PASSWORD, startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { create, requireRightCounts, requireWholeHistories } from '../../../test/signature-requests.ts'
import {
  Browser,
  invite,
  linkOf,
  messagesOf,
  openLink,
  startSigningService,
  untilQuiet,
} from '../../../test/signing-flow.ts'
import { operatorOf } from '../operator.ts'

/** The server forgets within this time what it knows of a caller. */
const REMEMBERED_MS = 2_000

describe('stopping a tenant', () => {
  let service: TestService
  let shell: Shell
  let other: TestTenant

  before(async () => {
    service = await startSigningService()
    shell = openShell(environmentOf(service))
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  const run = (...args: string[]) => shell(...args, '--json')
  const statusOf = async ({ call }: TestTenant) => (await call('GET', '/onboarding/department')).status
  const statuses = async ({ tenantId }: TestTenant) => {
    const sql =
      'select status, count(*)::int as amount from signature_request where tenant_id = $1 group by 1 order by 1'
    const rows = await service.database.asOwner(sql, [tenantId])
    return Object.fromEntries(rows.map(({ status, amount }) => [String(status), amount]))
  }
  const createMany = (tenant: TestTenant, count: number) =>
    Promise.all(Array.from({ length: count }, () => create(tenant.call)))

  test('ends links, sessions, keys and logins, and cancels what is open; other tenants notice nothing', async () => {
    const acme = await service.createTenant('Acme')
    const { requestId, signatoryIds } = await invite(acme)
    const reading = await openLink(service, acme, requestId, signatoryIds[0]!)
    const unopened = await linkOf(acme, requestId, signatoryIds[0]!)
    const manager = await signedIn(service.url, acme.administratorEmail)
    await createMany(acme, 6)
    await create(acme.call, { status: 'Draft' })
    const neighbours = await invite(other)

    const { exitCode, json } = await run('tenant', 'stop', acme.tenantId)
    assert.deepEqual([exitCode, json.name, json.canceled], [0, 'Acme', 7])
    await wait(REMEMBERED_MS)
    assert.equal(await statusOf(acme), 401)
    assert.equal((await acme.asAdministrator('GET', '/identity/me')).status, 401)
    assert.equal((await manager.call('GET', '/overview')).status, 401)
    await assert.rejects(signedIn(service.url, acme.administratorEmail))
    assert.equal((await reading.get('/sign/api/request')).status, 401)
    const refused = await new Browser(service.url).open(unopened)
    assert.deepEqual([refused.status, refused.json.state], [400, 'canceled'])
    assert.deepEqual(await statuses(acme), { Canceled: 7, Draft: 1 })
    assert.match((await shell('tenant', 'list')).out, /Acme \(stopped /)

    assert.equal(await statusOf(other), 200)
    await openLink(service, other, neighbours.requestId, neighbours.signatoryIds[0]!)
    await requireRightCounts(service)
    await requireWholeHistories(service)
  })

  test('sends nothing more in its name, neither what waited nor that it is over', async () => {
    const acme = await service.createTenant('Silent')
    const { requestId, signatoryIds } = await invite(acme)
    await untilQuiet(service)
    const { tenantId, rootDepartmentId: departmentId } = acme
    const before = await messagesOf(service, requestId)
    await run('tenant', 'stop', 'Silent')
    const message = {
      kind: 'completed',
      channel: 'email',
      requestId,
      signatoryId: signatoryIds[0]!,
      language: 'en',
    } as const
    const waiting = { ...message, tenantId, departmentId, now: service.clock.now() }
    const messageId = await service.platform.db.transaction(tenantId, (tx) => sendMessage(tx, waiting))
    await untilQuiet(service)
    assert.equal((await messagesOf(service, requestId)).length, before.length + 1)
    const [held] = await service.database.asOwner(`select state from message where id = $1`, [messageId])
    assert.equal(held!['state'], 'dropped')
  })

  test('links are dead before anything is canceled, and a command that was killed is run again', async () => {
    const acme = await service.createTenant('Killed')
    const { requestId, signatoryIds } = await invite(acme)
    const link = await linkOf(acme, requestId, signatoryIds[0]!)
    await createMany(acme, 12)
    const { tenantId } = acme
    const now = service.clock.now()
    const { db } = service.platform
    await db.transaction(tenantId, async (tx) => stopTenant(tx, { caller: await operatorOf(tx, tenantId), now }))
    const refused = await new Browser(service.url).open(link)
    assert.deepEqual([refused.status, refused.json.state], [400, 'closed'])
    await db.transaction(tenantId, (tx) => cancelOpenRequests(tx, { tenantId, reason: 'Killed', limit: 5, now }))
    assert.deepEqual(await statuses(acme), { Canceled: 5, Open: 8 })

    assert.equal((await run('tenant', 'stop', tenantId)).json.canceled, 8)
    assert.equal((await run('tenant', 'stop', tenantId)).json.canceled, 0)
    assert.deepEqual(await statuses(acme), { Canceled: 13 })
    await requireRightCounts(service)
    await requireWholeHistories(service)
  })

  test('two commands at once cancel each request once, in parts as small as they like', async () => {
    const acme = await service.createTenant('Twice')
    const ids = await createMany(acme, 12)
    const { tenantId } = acme
    const now = service.clock.now()
    const canceled = await Promise.all(
      [3, 4].map((atOnce) => withdrawAll(service.platform.db, { tenantId, now, atOnce })),
    )
    assert.equal(canceled[0]! + canceled[1]!, 12)
    const told = await service.database.asOwner(
      `select count(*)::int as amount from event where request_id = any($1) and type = 'signaturerequestcanceled'`,
      [ids],
    )
    assert.deepEqual(told, [{ amount: 12 }])
    await requireRightCounts(service)
  })

  test('is undone for the access alone: keys and logins work, what was canceled and who was signed in stay out', async () => {
    const acme = await service.createTenant('Back')
    const manager = await signedIn(service.url, acme.administratorEmail)
    const id = await create(acme.call)
    await run('tenant', 'stop', acme.tenantId)
    // A call that had been let in before the stop, and ended after it.
    await service.database.asOwner(`update tenant set stopped_at = null where id = $1`, [acme.tenantId])
    const late = await create(acme.call)
    await service.database.asOwner(`update tenant set stopped_at = now() where id = $1`, [acme.tenantId])

    const { json } = await run('tenant', 'resume', acme.tenantId)
    assert.equal(json.canceled, 1)
    assert.equal(await statusOf(acme), 200)
    for (const requestId of [id, late]) {
      const { json: request } = await acme.call('GET', `/signing/signaturerequest/${requestId}`)
      assert.deepEqual(
        [request.status, request.statusReason],
        ['Canceled', 'The operator of this service has stopped the organisation.'],
      )
    }
    assert.equal((await manager.call('GET', '/overview')).status, 401)
    const login = { login: acme.administratorEmail, password: PASSWORD }
    assert.equal((await acme.call('POST', '/identity/login', login)).status, 200)
    await create(acme.call)

    const anew = await signedIn(service.url, acme.administratorEmail)
    const activity = (await anew.call('GET', '/activity?targetType=tenant')).json.items
    const deeds = activity.map(({ action, actor }: { action: string; actor: { id: string } }) => [action, actor.id])
    assert.deepEqual(deeds, [
      ['tenant.resumed', NIL_UUID],
      ['tenant.stopped', NIL_UUID],
    ])
    const again = await shell('tenant', 'resume', acme.tenantId)
    assert.deepEqual([again.exitCode, /is not stopped/.test(again.err)], [1, true])
  })

  test('needs a tenant that there is', async () => {
    const { exitCode, err } = await shell('tenant', 'stop', 'Nobody')
    assert.equal(exitCode, 2)
    assert.match(err, /there is no tenant "Nobody"/)
  })
})

/** As many as an abuser has sent before anybody notices; `npm run proof:attack` has more. */
const MANY = Number(process.env['COUNTERSIGN_STOPPED_REQUESTS'] ?? 30)
const AT_ONCE = 10

describe('stopping a tenant that has sent many requests', () => {
  let service: TestService

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  test('cancels them all, each with its own history and counted once', async (t) => {
    const acme = await service.createTenant('Acme')
    for (let made = 0; made < MANY; made += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => create(acme.call)))
    const startedAt = performance.now()
    const { json } = await openShell(environmentOf(service))('tenant', 'stop', acme.tenantId, '--json')
    t.diagnostic(`${MANY} requests canceled in ${Math.round(performance.now() - startedAt)} ms`)
    assert.equal(json.canceled, MANY)
    const [left] = await service.database.asOwner(
      `select (select count(*)::int from signature_request where status <> 'Canceled') as open,
              (select count(*)::int from credential where kind = 'link') as links,
              (select count(*)::int from event where type = 'signaturerequestcanceled') as told`,
    )
    assert.deepEqual(left, { open: 0, links: 0, told: MANY })
    await requireRightCounts(service)
  })
})
