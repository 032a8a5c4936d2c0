// One document: looked at, repaired where a strict reader would stumble, sealed at the level that lasts, and checked.
import type { Hash } from 'node:crypto'
import { collectValidationData, stageSoundFile, timestamper } from '#features/certificates/index.ts'
import { lastsUntil } from '#features/renewal/index.ts'
import { makeIntake } from '#pades/apart/intake.ts'
import { BOUNDS, makeReaders } from '#pades/apart/readers.ts'
import { readForm } from '#pades/form.ts'
import { createNormaliser } from '#pades/normalise.ts'
import { openPdf } from '#pades/reader.ts'
import { PrefixHash } from '#pades/prefix-hash.ts'
import { signPdf, type Timestamper } from '#pades/sign.ts'
import { bufferSource } from '#pades/source.ts'
import type { RawSigner } from '#pki/raw-signer.ts'
import { parseTimestampToken } from '#pki/timestamp.ts'
import type { StagedBlob } from '#platform/blobs/blob-store.ts'
import { letGo } from '#platform/let-go.ts'
import type { Platform } from '#platform/platform.ts'
import { SEAL_LEVEL } from './sealing-request.ts'

export type SealedFile = { staged: StagedBlob; level: typeof SEAL_LEVEL; isNormalised: boolean; lastsUntil: Date }

type ToBeSealed = {
  tenantId: string
  /** Let go of as soon as there is a sealed copy of them. */
  bytes: Buffer
  /** The SHA-256 of them, as far as they go. */
  hash: Hash
  signer: RawSigner
  anchors: readonly Buffer[]
  /** Waits between two steps: each of them holds up everybody else in this process. */
  giveWay: () => Promise<void>
  /** Whether nobody has waited for anything lately. */
  isCalm: () => boolean
}

/** There is room for so many at once and no more, so that none of them is refused for waiting. */
const look = makeIntake(makeReaders({ ...BOUNDS, waiting: Infinity }))
const normalise = createNormaliser({ check: look })

/** The document with the seal in it, staged. Throws a PdfRefused where it can't be sealed as it is. */
export async function sealDocument(
  platform: Platform,
  { tenantId, bytes, hash, signer, anchors, giveWay, isCalm }: ToBeSealed,
): Promise<SealedFile> {
  const { activeContent } = platform.config
  const facts = await look(bufferSource(bytes), { activeContent })
  const given = facts.needsNormalising
    ? (await normalise(bufferSource(bytes), { activeContent, reason: facts.reason })).bytes
    : bytes
  await giveWay()
  const field = await freeFieldName(given)
  const prefix =
    given === bytes
      ? PrefixHash.continuing('sha256', hash, bytes.length)
      : await PrefixHash.of(bufferSource(given), ['sha256'])
  const stamp = timestamper(platform)
  const tsa: Timestamper = async (imprint) => {
    await giveWay()
    return stamp(imprint)
  }
  const revisions = await signPdf(bufferSource(given), {
    signer,
    level: SEAL_LEVEL,
    tsa,
    time: platform.clock.now(),
    field: { name: field },
    prefix,
    validationData: ({ timestampToken }) =>
      collectValidationData(platform, {
        tenantId,
        certificates: [signer.certificate],
        timestampTokens: [timestampToken],
        since: parseTimestampToken(timestampToken).info.time,
        now: platform.clock.now(),
      }),
  })
  const sealed = Buffer.concat([given, ...revisions])
  const sha256 = prefix.fork('sha256').update(sealed.subarray(prefix.length)).digest('hex')
  letGo(given)
  letGo(bytes)
  await giveWay()
  const time = platform.clock.now()
  // A thread that steps back is interrupted by all others: a seventh less is done where there is nobody to step back for.
  const file = {
    tenantId,
    bytes: sealed,
    sha256,
    fields: [field],
    level: SEAL_LEVEL,
    time,
    anchors,
    isBulk: !isCalm(),
  } as const
  const { report, staged } = await stageSoundFile(platform, file)
  return {
    staged,
    level: SEAL_LEVEL,
    isNormalised: facts.needsNormalising,
    lastsUntil: lastsUntil(report),
  }
}

async function freeFieldName(bytes: Buffer): Promise<string> {
  const { names } = await readForm(await openPdf(bufferSource(bytes)))
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'Seal' : `Seal ${number}`
    if (!names.has(name)) return name
  }
}
