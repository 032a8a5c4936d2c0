// `npm run proof:sqlmap -- --sqlmap /path/to/sqlmap`: sqlmap tries every place of every operation into which a caller puts
// something. Before that it has to find a place that is open on purpose. `--only /hooks` tries some of the operations,
// `--level N` (3) says how hard. Exit 1 where a place is open, an operation answers 5xx, or something could not be tried.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { OPERATIONS } from '../test/contract/operations.ts'
import { makePlace, makeToken } from '../test/contract/world.ts'
import { startService, type TestService } from '../test/service.ts'
import { globalSetup, globalTeardown } from '../test/setup.ts'
import { placesOf } from '../test/sqlmap/places.ts'
import { runSqlmap, type Outcome } from '../test/sqlmap/run.ts'

const { values } = parseArgs({
  options: {
    sqlmap: { type: 'string', default: 'sqlmap' },
    level: { type: 'string', default: '3' },
    only: { type: 'string', default: '/' },
  },
})
const how = { program: values.sqlmap, level: Number(values.level) }

/** A server that puts what it is given into the text of SQL. */
async function tryOpenPlace({ database }: TestService): Promise<Outcome> {
  const server = createServer((request, response) => {
    const name = new URL(request.url!, 'http://localhost').searchParams.get('name')
    const found = database.asOwner(`select id from tenant where name = '${name}'`)
    void found.catch((error: Error) => error.message).then((rows) => response.end(JSON.stringify(rows)))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    return await runSqlmap({ ...how, url, method: 'GET', path: '/?name=a*', body: undefined, headers: {} })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** On things of its own: some operations delete what they are called for. */
async function tryOperation(service: TestService, operation: string): Promise<{ outcome?: Outcome; places: number }> {
  const tenant = await service.createTenant()
  const { things } = await makePlace(service, tenant, 'Sales')
  const token = await makeToken(service, tenant, { departmentId: tenant.rootDepartmentId, role: 'Admin' })
  const { count, ...places } = await placesOf(operation, things, tenant)
  if (count === 0) return { places: 0 }
  const headers = { 'Ocp-Apim-Subscription-Key': tenant.key, ...token }
  return { outcome: await runSqlmap({ ...how, ...places, url: service.url, headers }), places: count }
}

const describe = ({ verdict, requests, statuses }: Outcome) =>
  `${verdict}, ${requests} requests, statuses ${[...statuses].map(([status, times]) => `${status} (${times})`).join(', ')}`

await globalSetup()
const service = await startService({ COUNTERSIGN_RATE_LIMIT: '100000000' })
try {
  const open = await tryOpenPlace(service)
  console.log(`a place that is open on purpose: ${describe(open)}`)
  let [requests, places, faults] = [0, 0, open.verdict === 'injectable' ? 0 : 1]
  for (const operation of Object.keys(OPERATIONS).filter((name) => name.includes(` ${values.only}`))) {
    const { outcome, places: count } = await tryOperation(service, operation)
    if (outcome === undefined) continue
    const isSound =
      outcome.verdict === 'not injectable' && ![...outcome.statuses.keys()].some((status) => status >= 500)
    console.log(`${isSound ? 'held  ' : 'FAILED'} ${operation}, ${count} places: ${describe(outcome)}`)
    if (!isSound) console.log(outcome.output.slice(-1_000))
    requests += outcome.requests
    places += count
    faults += isSound ? 0 : 1
  }
  console.log(`${places} places, ${requests} requests, ${faults} faults`)
  process.exitCode = faults === 0 && places > 0 ? 0 : 1
} finally {
  await service.stop()
  globalTeardown()
}
