// Started by tests as a process of its own: starts a server on the data directory given, says so in one line of JSON,
// and then waits to be killed. With "exit" on its standard input it ends by process.exit(), without stopping anything.
import { startEmbeddedPostgres } from '../embedded-postgres.ts'

const [dataDir = ''] = process.argv.slice(2)
const startedAt = performance.now()
const server = await startEmbeddedPostgres({ dataDir, durability: 'tests', log: () => {} })
const { ownerUrl, pid, clusterDir, isFirstStart, warnings } = server
const tookMs = performance.now() - startedAt
console.log(JSON.stringify({ ownerUrl, pid, clusterDir, isFirstStart, warnings, tookMs }))
process.stdin.on('data', () => process.exit(0))
