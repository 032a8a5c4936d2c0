// The server's settings, for a small machine that must not lose what it has answered. They travel on the command line:
// an update of Countersign then brings its settings along, and no file of an older one stays behind.
import { totalmem } from 'node:os'

/** 'tests' trades all safety against a power cut for speed. */
export type Durability = 'full' | 'tests'

export const MAX_CONNECTIONS = 60

const DURABILITY = {
  full: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' },
  tests: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
} as const

/** The arguments that set up a server which listens on a socket in `socketDir`, and nowhere else. */
export function serverArguments(socketDir: string, durability: Durability): string[] {
  return asArguments({
    listen_addresses: '',
    unix_socket_directories: quoteDirectory(socketDir),
    unix_socket_permissions: '0700',
    port: '5432',
    cluster_name: 'countersign',
    max_connections: String(MAX_CONNECTIONS),
    shared_buffers: `${sharedBuffersMb(memoryBytes())}MB`,
    wal_compression: 'pglz',
    // When one of its processes dies, the server ends, and whoever runs it starts it anew. Where PostgreSQL 18 itself comes
    // back and its recovery dies as well, it forgets to try again, and refuses everybody for good.
    restart_after_crash: 'off',
    // Each session reads for itself. Workers that read for others are a way to hang for good: when a part of the server dies
    // in the moment in which recovery ends, PostgreSQL 18 forgets that its old workers are gone and hands them its reads.
    io_method: 'sync',
    // Many small transactions: compiling a plan or spreading it over processes costs more than it brings.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    autovacuum: 'on',
    // Until a table is looked at, statements are planned as if it were as small as before: a minute is long after a rush.
    autovacuum_naptime: '15s',
    idle_in_transaction_session_timeout: '60s',
    timezone: 'UTC',
    ...LOG_SETTINGS,
    ...DURABILITY[durability],
  })
}

/** The arguments for a server in single-user mode. */
export function singleUserArguments(durability: Durability): string[] {
  return asArguments({ ...LOG_SETTINGS, ...DURABILITY[durability], exit_on_error: 'on' })
}

// Errors, but neither statements nor the details of a violated constraint: both hold customers' data.
const LOG_SETTINGS = {
  logging_collector: 'off',
  log_destination: 'stderr',
  log_timezone: 'UTC',
  log_min_messages: 'error',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** A sixteenth of the memory, between 32 and 256 MB. */
export function sharedBuffersMb(memory: number): number {
  return Math.min(256, Math.max(32, Math.floor(memory / 16 / 2 ** 20)))
}

function memoryBytes(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

// The setting is a list, in which a name with a comma or a space has to be quoted.
function quoteDirectory(path: string): string {
  return `"${path.replaceAll('"', '""')}"`
}

function asArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
