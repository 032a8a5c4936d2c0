// Files rot on disks and are lost by people. Whoever reads one notices; this reads those that nobody does, all of them
// within a month, a thirtieth each night, so that damage is known while a backup still has the file.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from '#platform/platform.ts'
import { BEFORE_ALL, dueTo, mayBegin, roundAt, startOfDay, type Round } from './check-round.ts'
import {
  beginRound,
  countDamaged,
  deleteDamaged,
  findRound,
  keepDamaged,
  listContentsBetween,
  listDamaged,
  moveRound,
} from './check-statements.ts'
import { findDamage, type Damage } from './find-damage.ts'

/** What is written down at a time, and read again after a crash. */
const PORTION = 50
/** Where so many are damaged, something else is wrong than single files: a person has to look first. */
const MOST_DAMAGED = 10_000
/** Fifty terabytes a month, and little beside what disks and networks can do. */
const BYTES_PER_SECOND = 20_000_000
/** A file costs something even if it is empty. */
const FILE_WORTH_BYTES = 100_000

type Parts = Pick<Platform, 'db' | 'blobs' | 'clock' | 'log'>

/** The circumstances of work that nobody waits for. */
export type Leisure = {
  /** Whether it is still wanted, and of this process. */
  goesOn(): boolean
  /** Lets pass what somebody waits for. */
  giveWay(): Promise<void>
}

type Content = { tenantId: string; sha256: Buffer; sizeBytes: number }

/** Reads the contents of a tenant whose turn has come by today, and answers with how many. What is wrong is written down. */
export async function checkContents(parts: Parts, tenantId: string, leisure: Leisure): Promise<number> {
  let amount = 0
  let isMore = true
  while (isMore && leisure.goesOn()) {
    const portion = await checkPortion(parts, tenantId, leisure)
    amount += portion.read
    isMore = portion.isMore
  }
  return amount
}

type Portion = { read: number; isMore: boolean }

async function checkPortion(parts: Parts, tenantId: string, leisure: Leisure): Promise<Portion> {
  const { db, clock } = parts
  const now = clock.now()
  const round = await openRound(parts, tenantId, now)
  const upTo = dueTo(round.beganAt, now)
  if (Buffer.compare(round.position, upTo) >= 0) return { read: 0, isMore: false }
  const [contents, { amount }] = await db.transaction(tenantId, (tx) =>
    Promise.all([
      listContentsBetween.many(tx, { tenantId, after: round.position, upTo, take: PORTION }),
      countDamaged.one(tx, { tenantId }),
    ]),
  )
  if (amount >= MOST_DAMAGED) return { read: 0, isMore: false }
  const read = await readContents(parts, { tenantId, contents, leisure })
  const isWholePortion = read === contents.length
  const position = isWholePortion && contents.length < PORTION ? upTo : (contents[read - 1]?.sha256 ?? round.position)
  const next = roundAt(round, position, now)
  const moved = await db.transaction(tenantId, (tx) =>
    moveRound.run(tx, { tenantId, fromBeganAt: round.beganAt, from: round.position, ...next }),
  )
  return { read, isMore: moved === 1 && isWholePortion && contents.length === PORTION }
}

async function openRound({ db }: Parts, tenantId: string, now: Date): Promise<Round> {
  return db.transaction(tenantId, async (tx) => {
    const found = await findRound.maybeOne(tx, { tenantId })
    if (found !== undefined && mayBegin(found, now)) return found
    await beginRound.run(tx, { tenantId, beganAt: startOfDay(now), position: BEFORE_ALL })
    return findRound.one(tx, { tenantId })
  })
}

type Reading = { tenantId: string; contents: readonly Omit<Content, 'tenantId'>[]; leisure: Leisure }

/** Answers with how many of them it came to. */
async function readContents(parts: Parts, { tenantId, contents, leisure }: Reading): Promise<number> {
  for (const [index, content] of contents.entries()) {
    if (!leisure.goesOn()) return index
    const damage = await readAtLeisure(parts, { tenantId, ...content }, leisure)
    if (damage !== undefined) await noteDamage(parts, { tenantId, ...content }, damage)
  }
  return contents.length
}

/** Takes as long as if the storage had no more to give than we may ask of it. */
async function readAtLeisure(parts: Parts, content: Content, { giveWay }: Leisure): Promise<Damage | undefined> {
  await giveWay()
  const startedAt = performance.now()
  const damage = await findDamage(parts, content)
  const worthMs = ((content.sizeBytes + FILE_WORTH_BYTES) / BYTES_PER_SECOND) * 1000
  await sleep(Math.max(0, worthMs - (performance.now() - startedAt)))
  return damage
}

async function noteDamage(parts: Parts, content: Content, { problem, documentId }: Damage): Promise<void> {
  const { db, clock, log } = parts
  const { tenantId, sha256 } = content
  const isNew = await db.transaction(tenantId, (tx) =>
    keepDamaged.run(tx, { tenantId, sha256, problem, now: clock.now() }),
  )
  if (isNew === 0) return
  const named = { tenantId, sha256: sha256.toString('hex'), documentId, problem }
  if (problem === 'unreadable') log.warn(named, 'a stored file could not be read')
  else log.error(named, 'a stored file is not what was stored')
}

/** Reads again what was damaged, and forgets what is whole again or needed by nobody any more. */
export async function recheckDamaged(parts: Parts, tenantId: string, leisure: Leisure): Promise<void> {
  for (let after: Buffer = BEFORE_ALL; leisure.goesOn();) {
    const known = await parts.db.transaction(tenantId, (tx) => listDamaged.many(tx, { tenantId, after, take: PORTION }))
    for (const { sha256, sizeBytes } of known) {
      if (!leisure.goesOn()) return
      await recheck(parts, { tenantId, sha256, sizeBytes }, leisure)
      after = sha256
    }
    if (known.length < PORTION) return
  }
}

type Known = Omit<Content, 'sizeBytes'> & { sizeBytes: number | null }

async function recheck(parts: Parts, { sizeBytes, ...named }: Known, leisure: Leisure): Promise<void> {
  const content = { ...named, sizeBytes: sizeBytes ?? 0 }
  const damage = sizeBytes === null ? undefined : await readAtLeisure(parts, content, leisure)
  if (damage !== undefined) return noteDamage(parts, content, damage)
  const { tenantId, sha256 } = named
  await parts.db.transaction(tenantId, (tx) => deleteDamaged.run(tx, named))
  parts.log.info({ tenantId, sha256: sha256.toString('hex') }, 'a stored file is whole again, or not needed any more')
}
