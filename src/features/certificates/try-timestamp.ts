import { createHash } from 'node:crypto'
import { cmsTemplate } from '#pki/cms.ts'
import { issueTimestamp } from '#pki/timestamp-authority.ts'
import { buildTimestampRequest, parseTimestampResponse, parseTimestampToken } from '#pki/timestamp.ts'
import type { Platform } from '#platform/platform.ts'
import { listInstallationSigners } from './installation-statements.ts'
import { openSigner } from './signer-cache.ts'
import { timestamper } from './timestamper.ts'

/**
 * Has something stamped by the authority in use, and answers with the time in the token. Nothing is made where our own
 * authority has no certificate yet: then there is no time, as the worker has never run.
 */
export async function tryTimestamp(platform: Platform): Promise<Date | undefined> {
  const imprint = { hash: 'sha256', digest: createHash('sha256').update('a question').digest() } as const
  if (platform.config.timestamps !== undefined) {
    return parseTimestampToken(await timestamper(platform)(imprint)).info.time
  }
  const stored = await platform.db.systemTransaction((tx) => listInstallationSigners.many(tx, {}))
  const [root, own] = (['root', 'timestamp'] as const).map((kind) => stored.find((row) => row.kind === kind))
  if (root === undefined || own === undefined) return undefined
  const signer = openSigner(platform, { ...own, chain: [root.certificate] })
  const request = buildTimestampRequest({ ...imprint, nonce: undefined, policy: undefined })
  const answer = await issueTimestamp(request, { signer, template: cmsTemplate(signer) }, { now: platform.clock.now() })
  return parseTimestampResponse(answer).info.time
}
