// Makes the files that are judged: every kind of document at every level with every kind of key, and two longer stories.
import type { SignatureAlgorithm } from '#pki/algorithms.ts'
import type { RawSigner } from '#pki/raw-signer.ts'
import type { Level } from '#pades/sign.ts'
import { makePdf } from '#pades/testing/documents.ts'
import { Clock, DAY_MS, SECOND_MS, type Authority } from './authority.ts'
import type { DocumentKind } from './documents.ts'
import { Paper } from './paper.ts'
import type { SignedFile } from './signed-file.ts'

export const LEVELS = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const satisfies readonly Level[]
export const ALGORITHMS = ['ES256', 'ES384', 'PS256', 'RS256'] as const satisfies readonly SignatureAlgorithm[]
/** When all files are judged. In the past of whoever runs this: no judge believes a timestamp from the future. */
export const PRESENT = new Date('2026-11-10T09:00:00Z')
const HOUR_MS = 60 * 60 * SECOND_MS
const YEAR_MS = 365 * DAY_MS
const YEARS_BETWEEN_RENEWALS = 4
/** When the authority must begin to exist for the oldest of the files. */
export const BEGIN = new Date(PRESENT.getTime() - 2 * YEARS_BETWEEN_RENEWALS * YEAR_MS - DAY_MS)

export interface Case {
  readonly authority: Authority
  readonly algorithm: SignatureAlgorithm
}

/** One document, signed once; undefined where it can't be made on this machine. */
export async function signOnce(
  { authority, algorithm }: Case,
  { kind, level }: { kind: DocumentKind; level: Level },
): Promise<SignedFile | undefined> {
  const original = kind.make()
  if (original === undefined) return undefined
  const clock = clockSince(HOUR_MS)
  const paper = await Paper.of(original, authority, clock)
  const isLasting = level === 'B-LT' || level === 'B-LTA'
  if (kind.isSignedBefore === true) await signEarlier(paper, { authority, algorithm }, clock)
  const signer = await authority.signatory('Anna', algorithm, clock.now)
  await paper.sign(signer, level, kind.options)
  return {
    name: fileName(kind.name, algorithm, level),
    kind: kind.name,
    pdf: paper.pdf,
    original,
    levels: { ...(kind.isSignedBefore === true && { Earlier: isLasting ? level : 'B-T' }), Signature: level },
    documentTimestamps: level === 'B-LTA' ? 1 : 0,
    proofs: await paper.prove(signer),
    isCoveredWhole: level !== 'B-LT',
  }
}

async function signEarlier(paper: Paper, { authority, algorithm }: Case, clock: Clock): Promise<void> {
  await paper.addFields([{ name: 'Earlier' }])
  await signAndProve(paper, await authority.signatory('Bruno', algorithm, clock.now), 'Earlier')
}

/** How much time lies between the signatures of a file that several people sign. */
export type Pace = 'together' | 'apart'

/**
 * Three people sign and a department seals. Within a day, one timestamp at the end is enough for all of them. When weeks
 * lie between them, each signature gets its own while its certificate lives: later it would prove too little.
 */
export async function signInTurn({ authority, algorithm }: Case, pace: Pace): Promise<SignedFile> {
  const original = makePdf({ pages: 2 })
  const pauseMs = pace === 'apart' ? 7 * DAY_MS : HOUR_MS
  const clock = clockSince(PEOPLE.length * pauseMs + HOUR_MS)
  const paper = await Paper.of(original, authority, clock)
  await paper.addFields([...PEOPLE, 'Seal'].map((name) => ({ name })))
  for (const name of PEOPLE) {
    clock.advance(pauseMs)
    await signAndProve(paper, await authority.signatory(name, algorithm, clock.now), name)
    if (pace === 'apart') await paper.archive()
  }
  await signAndProve(paper, await authority.seal('Seal', algorithm, clock.now), 'Seal')
  await paper.archive()
  return {
    name: fileName(pace, algorithm, 'B-LTA'),
    kind: pace,
    pdf: paper.pdf,
    original,
    levels: { Anna: 'B-LTA', Bruno: 'B-LTA', Carla: 'B-LTA', Seal: 'B-LTA' },
    documentTimestamps: pace === 'apart' ? 4 : 1,
    proofs: await paper.prove(),
    isCoveredWhole: true,
  }
}

const PEOPLE = ['Anna', 'Bruno', 'Carla']

async function signAndProve(paper: Paper, signer: RawSigner, field: string): Promise<void> {
  await paper.sign(signer, 'B-T', { field, name: field })
  await paper.prove(signer)
}

/** A file that has been kept alive for eight years by two more document timestamps. */
export async function signAndRenew({ authority, algorithm }: Case): Promise<SignedFile> {
  const original = makePdf()
  const clock = clockSince(2 * YEARS_BETWEEN_RENEWALS * YEAR_MS + HOUR_MS)
  const paper = await Paper.of(original, authority, clock)
  await paper.sign(await authority.signatory('Anna', algorithm, clock.now), 'B-LTA')
  for (let renewals = 0; renewals < 2; renewals++) {
    clock.advance(YEARS_BETWEEN_RENEWALS * YEAR_MS)
    await paper.renew()
  }
  return {
    name: fileName('renewed', algorithm, 'B-LTA'),
    kind: 'renewed',
    pdf: paper.pdf,
    original,
    levels: { Signature: 'B-LTA' },
    documentTimestamps: 3,
    proofs: await paper.prove(),
    isCoveredWhole: true,
  }
}

const clockSince = (ms: number) => new Clock(new Date(PRESENT.getTime() - ms))

/** Every file that can be made on this machine, one after the other; and the kinds that can't. */
export async function* signEverything(
  authority: Authority,
  kinds: readonly DocumentKind[],
): AsyncGenerator<SignedFile | { readonly missing: string }> {
  for (const kind of kinds) {
    for (const algorithm of ALGORITHMS) {
      for (const level of LEVELS) {
        yield (await signOnce({ authority, algorithm }, { kind, level })) ?? { missing: kind.name }
      }
    }
  }
  for (const algorithm of ALGORITHMS) {
    yield await signInTurn({ authority, algorithm }, 'together')
    yield await signInTurn({ authority, algorithm }, 'apart')
    yield await signAndRenew({ authority, algorithm })
  }
}

const fileName = (kind: string, algorithm: SignatureAlgorithm, level: Level) =>
  `${kind}-${algorithm}-${level}.pdf`.toLowerCase()
