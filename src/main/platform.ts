// Wires the parts that every process shares.
import { makeAuthenticator } from '#platform/auth/authenticate.ts'
import { makeTokens } from '#platform/auth/tokens.ts'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { systemClock, type Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config/config.ts'
import type { Database } from '#platform/db/database.ts'
import { makeLiveStreams } from '#platform/http/live-streams.ts'
import type { Log } from '#platform/log/log.ts'
import type { Platform } from '#platform/platform.ts'
import { makeKeyring } from '#platform/secrets/keyring.ts'

export type PlatformParts = {
  config: Config
  secretKey: string
  db: Database
  blobs: BlobStore
  log: Log
  clock?: Clock
}

export function makePlatform({ config, secretKey, db, blobs, log, clock = systemClock }: PlatformParts): Platform {
  const keyring = makeKeyring(secretKey, config.previousSecretKey)
  const tokens = makeTokens(keyring)
  const authenticator = makeAuthenticator({ db, tokens, clock })
  return { config, db, blobs, keyring, tokens, authenticator, liveStreams: makeLiveStreams(), clock, log }
}
