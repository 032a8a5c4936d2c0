// Many tenants share two connections, while calls are broken off, refused and fail: each is answered with what is its own,
// and no connection remembers whose turn it was.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { text } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { newId } from '#platform/ids.ts'
import { Random } from './crash/workload/random.ts'
import { startService, type Reply, type TestService, type TestTenant } from './service.ts'

/** `npm run proof:attack` makes more. */
const CALLS = Number(process.env['COUNTERSIGN_POOL_CALLS'] ?? 400)
const TENANTS = CALLS < 1_000 ? 10 : 50
const AT_ONCE = 20
const SEED = Number(process.env['COUNTERSIGN_TEST_SEED'] ?? randomInt(2 ** 31))

const whoseTurn = statement({
  name: 'testWhoseTurn',
  isGlobal: true,
  params: {},
  row: { tenant: text },
  sql: `select coalesce(current_setting('app.tenant', true), '') as tenant`,
})

type Seen = { answered: number; brokenOff: number; foreign: string[]; made: string[]; refused: number; failed: number }

/** In front of a name: the database refuses the row after it was written. */
const UNLUCKY = 'unlucky'
const PATH = '/onboarding/department'

describe('two connections for many tenants', () => {
  let service: TestService
  const tenants: TestTenant[] = []

  before(async () => {
    service = await startService({ COUNTERSIGN_DATABASE_POOL: '2' })
    for (let n = 0; n < TENANTS; n++) tenants.push(await service.createTenant(`tenant-${n}-only`))
    await service.database.asOwner(`create function refuse_row() returns trigger language plpgsql as $$
      begin raise exception 'this row is refused'; end $$`)
    await service.database.asOwner(`create trigger refuse_row after insert on department for each row
      when (new.name like '${UNLUCKY}%') execute function refuse_row()`)
  })
  after(() => service.stop())

  /** What a caller asks for, of one kind or another; some of it is refused, some fails. */
  async function ask(tenant: TestTenant, other: TestTenant, random: Random, seen: Seen): Promise<string> {
    const make = (department: object) => tenant.asAdministrator('POST', PATH, { department })
    const read = (path: string) => tenant.asAdministrator('GET', path)
    const name = nameFor(tenant)
    const kinds: [expected: number, ask: () => Promise<Reply>][] = [
      [200, () => read(PATH)],
      [200, () => read('/onboarding/user?take=100')],
      [200, () => make({ name })],
      [400, () => make({ name: `stray ${name}`, parentDepartmentId: other.rootDepartmentId })],
      [400, () => read(`${PATH}/${other.rootDepartmentId}`)],
      [400, () => read('/signing/signaturerequest?skip=-1')],
      [500, () => make({ name: `${UNLUCKY} ${name}` })],
    ]
    const kind = random.pick(kinds)
    const [expected, send] = kind
    const { status, text } = await send()
    // A machine that is too busy says so.
    if (status === 503) return text
    assert.equal(status, expected, text)
    if (kind === kinds[2]) seen.made.push(name)
    if (status === 400) seen.refused++
    if (status === 500) seen.failed++
    return text
  }

  /** A call whose caller is gone before the answer. */
  async function breakOff(tenant: TestTenant, random: Random): Promise<void> {
    const signal = AbortSignal.timeout(Math.ceil(random.between(0, 5)))
    const headers = { 'ocp-apim-subscription-key': tenant.key, 'content-type': 'application/json' }
    const body = JSON.stringify({ department: { name: nameFor(tenant) } })
    const call = random.pick([{}, { method: 'POST', body }])
    await fetch(service.url + PATH, { headers, signal, ...call }).catch(() => {})
  }

  async function work(share: number, seen: Seen): Promise<void> {
    const random = new Random(SEED + share)
    for (let turn = share; turn < CALLS; turn += AT_ONCE) {
      const tenant = random.pick(tenants)
      const other = tenants.find((one) => one !== tenant)!
      if (turn % 7 === 0) {
        await breakOff(tenant, random)
        seen.brokenOff++
        continue
      }
      const answer = await ask(tenant, other, random, seen)
      seen.answered++
      const foreign = tenants.find((one) => one !== tenant && holds(answer, one))
      if (foreign !== undefined) seen.foreign.push(answer.slice(0, 300))
      if (turn % 5 === 0) {
        const { tenant: left } = await service.platform.db.systemTransaction((tx) => whoseTurn.one(tx, {}))
        assert.equal(left, '')
      }
    }
  }

  const nameFor = ({ tenantId }: TestTenant) => `${tenantId} ${newId()}`
  const holds = (answer: string, { tenantId, administratorEmail, administratorId }: TestTenant) =>
    [tenantId, administratorEmail, administratorId].some((word) => answer.includes(word))

  test('never mix them up', async (t) => {
    t.diagnostic(`seed ${SEED}`)
    const seen: Seen = { answered: 0, brokenOff: 0, foreign: [], made: [], refused: 0, failed: 0 }
    await Promise.all(Array.from({ length: AT_ONCE }, (_, share) => work(share, seen)))
    const { answered, brokenOff, foreign, made, refused, failed } = seen
    t.diagnostic(
      `${answered} answered, ${made.length} made, ${refused} refused, ${failed} failed, ${brokenOff} broken off, of ${TENANTS} tenants`,
    )
    assert.deepEqual(foreign, [])
    assert.equal(answered + brokenOff, CALLS)
    assert.ok(Math.min(made.length, refused, failed) > CALLS / 50, 'something of every kind')
    await requireRows(made)
    for (const tenant of tenants)
      assert.ok(holds((await tenant.asAdministrator('GET', '/onboarding/user')).text, tenant))
  })

  /** Each row is with the tenant whom its name tells; what was made is there, and nothing of what failed. */
  async function requireRows(made: string[]): Promise<void> {
    const rows = await service.database.asOwner('select tenant_id, name from department where parent_id is not null')
    const names = new Set(rows.map(({ name }) => String(name)))
    assert.deepEqual(
      made.filter((name) => !names.has(name)),
      [],
    )
    assert.deepEqual(
      rows.filter(({ tenant_id, name }) => !String(name).startsWith(`${String(tenant_id)} `)),
      [],
    )
  }
})
