// What needs an open installation: documents, keys, certificates, timestamps.
import { ClocksApart, endsSoon, listExpiries, tryTimestamp, type Expiry } from '#features/certificates/index.ts'
import { listTenants } from '#features/onboarding/index.ts'
import { NIL_UUID } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import { bad, good, look, type Finding } from './finding.ts'

/** Some authorities tell whole seconds, and its answer took its time. */
const CLOCKS_APART_MS = 2_000
const CLOCK_FIX = 'Synchronise this machine by NTP (timedatectl set-ntp true, or chronyd).'

/** Writes a document, reads it back and removes it. */
export async function checkStorage({ blobs, config }: Platform): Promise<Finding> {
  await blobs.checkWritable()
  const bytes = Buffer.from('countersign doctor')
  // Of no tenant: nothing that anybody has is near it.
  const { sha256 } = await blobs.put(NIL_UUID, bytes)
  try {
    const chunks: Buffer[] = []
    const { stream } = await blobs.openRead(NIL_UUID, sha256)
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
    if (!Buffer.concat(chunks).equals(bytes)) throw new Error('what was read is not what was written')
  } finally {
    await blobs.remove(NIL_UUID, sha256)
  }
  return good('storage', `written, read and removed (${config.storage.split('?')[0]})`)
}

/** The certificates in use and when they end. */
export async function checkCertificates(platform: Platform): Promise<Finding[]> {
  const tenants = await platform.db.systemTransaction((tx) => listTenants.many(tx, {}))
  const expiries = await listExpiries(
    platform,
    tenants.map(({ id }) => id),
  )
  if (expiries.length === 0) {
    return [look('certificates', 'none have been made yet', 'Start the worker once: countersign start')]
  }
  const now = platform.clock.now()
  const ending = expiries.filter((expiry) => endsSoon(expiry, now))
  const first = expiries.reduce((one, other) => (one.notAfter <= other.notAfter ? one : other))
  const sound = good('certificates', `${expiries.length} in use, the first ends on ${dayOf(first.notAfter)}`)
  return ending.length === 0 ? [sound] : ending.map((expiry) => describeEnding(expiry, now))
}

function describeEnding({ kind, subject, notAfter, renewsItself }: Expiry, now: Date): Finding {
  const hasEnded = notAfter <= now
  const found = `${kind} ${subject} ${hasEnded ? 'ended' : 'ends'} on ${dayOf(notAfter)}`
  const fix = renewsItself
    ? 'It renews itself while the worker runs: see that it does, and what its log says.'
    : 'Bring a new one: POST /sealing/certificate with pkcs12 or pem.'
  return hasEnded ? bad('certificates', found, fix) : look('certificates', found, fix)
}

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

/** Has something stamped; the time in the token also tells on our clock. */
export async function checkTimestamps(platform: Platform): Promise<Finding[]> {
  const { config, clock } = platform
  const name = 'timestamps'
  const startedAt = performance.now()
  const stamped = await tryTimestamp(platform).catch((error: unknown) => {
    if (error instanceof ClocksApart) return error
    throw error
  })
  if (stamped instanceof ClocksApart) return [bad('timestamp clock', stamped.message, CLOCK_FIX)]
  if (stamped === undefined) {
    return [look(name, 'our own authority has not been made yet', 'Start the worker once: countersign start')]
  }
  const tookMs = Math.round(performance.now() - startedAt)
  if (config.timestamps === undefined) return [good(name, `by our own authority, in ${tookMs} ms`)]
  const reached = good(name, `by ${config.timestamps.url}, in ${tookMs} ms`)
  const apartMs = Math.abs(clock.now().getTime() - stamped.getTime())
  if (apartMs <= CLOCKS_APART_MS)
    return [reached, good('timestamp clock', `${apartMs} ms from the timestamp authority's`)]
  return [reached, look('timestamp clock', `${apartMs} ms from the timestamp authority's`, CLOCK_FIX)]
}
