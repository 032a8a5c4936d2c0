// Many tenants share two connections, while calls are broken off, refused and fail: each is answered with what is its own,
// and no connection remembers whose turn it was.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { text } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { newId } from '#platform/ids.ts'
import { Random } from './crash/workload/random.ts'
import { startService, type TestService, type TestTenant } from './service.ts'

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

type Seen = { answered: number; brokenOff: number; foreign: string[] }

describe('two connections for many tenants', () => {
  let service: TestService
  const tenants: TestTenant[] = []

  before(async () => {
    service = await startService({ COUNTERSIGN_DATABASE_POOL: '2' })
    for (let n = 0; n < TENANTS; n++) tenants.push(await service.createTenant(`tenant-${n}-only`))
  })
  after(() => service.stop())

  /** What a caller asks for, one kind after the other; some of it is refused, some fails. */
  async function ask(tenant: TestTenant, other: TestTenant, turn: number): Promise<string> {
    const read = (path: string) => tenant.asAdministrator('GET', path)
    const kinds = [
      () => read('/onboarding/department'),
      () => read(`/onboarding/department/${other.rootDepartmentId}`),
      () => read('/onboarding/user?take=100'),
      () => tenant.asAdministrator('POST', '/onboarding/department', { name: 'x', parentId: other.rootDepartmentId }),
      () => tenant.asAdministrator('POST', '/onboarding/department', { name: newId() }),
      () => read('/signing/signaturerequest?skip=-1'),
    ]
    return (await kinds[turn % kinds.length]!()).text
  }

  /** A call whose caller is gone before the answer. */
  async function breakOff(tenant: TestTenant, afterMs: number): Promise<void> {
    const signal = AbortSignal.timeout(afterMs)
    const headers = { 'ocp-apim-subscription-key': tenant.key }
    await fetch(`${service.url}/onboarding/department`, { headers, signal }).catch(() => {})
  }

  async function work(share: number, seen: Seen): Promise<void> {
    const random = new Random(SEED + share)
    for (let turn = share; turn < CALLS; turn += AT_ONCE) {
      const tenant = random.pick(tenants)
      const other = tenants.find((one) => one !== tenant)!
      if (turn % 7 === 0) {
        await breakOff(tenant, Math.ceil(random.between(0, 5)))
        seen.brokenOff++
        continue
      }
      const answer = await ask(tenant, other, turn)
      seen.answered++
      const foreign = tenants.find((one) => one !== tenant && holds(answer, one))
      if (foreign !== undefined) seen.foreign.push(answer.slice(0, 300))
      if (turn % 5 === 0) {
        const { tenant: left } = await service.platform.db.systemTransaction((tx) => whoseTurn.one(tx, {}))
        assert.equal(left, '')
      }
    }
  }

  const holds = (answer: string, { administratorEmail, administratorId }: TestTenant) =>
    answer.includes(administratorEmail) || answer.includes(administratorId)

  test('never mix them up', async (t) => {
    t.diagnostic(`seed ${SEED}`)
    const seen: Seen = { answered: 0, brokenOff: 0, foreign: [] }
    await Promise.all(Array.from({ length: AT_ONCE }, (_, share) => work(share, seen)))
    t.diagnostic(`${seen.answered} answered, ${seen.brokenOff} broken off, of ${TENANTS} tenants`)
    assert.deepEqual(seen.foreign, [])
    assert.equal(seen.answered + seen.brokenOff, CALLS)
    for (const tenant of tenants)
      assert.ok(holds((await tenant.asAdministrator('GET', '/onboarding/user')).text, tenant))
  })
})
