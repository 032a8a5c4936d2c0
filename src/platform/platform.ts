import type { Authenticator } from './auth/authenticate.ts'
import type { Tokens } from './auth/tokens.ts'
import type { BlobStore } from './blobs/blob-store.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config/config.ts'
import type { Database } from './db/database.ts'
import type { LiveStreams } from './http/live-streams.ts'
import type { Log } from './log/log.ts'
import type { Keyring } from './secrets/keyring.ts'

/** What every part of a running process shares. Made once in main, handed down, never reached for. */
export type Platform = Readonly<{
  config: Config
  db: Database
  blobs: BlobStore
  keyring: Keyring
  tokens: Tokens
  authenticator: Authenticator
  liveStreams: LiveStreams
  clock: Clock
  log: Log
}>
