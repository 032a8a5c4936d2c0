// One key, all documents of a request. What will be signed is fixed and written down before the key is used, so that a
// crash leaves a record and not a mystery.
import { timestamper } from '#features/certificates/index.ts'
import type { Appearance } from '#pades/appearance.ts'
import { completeSignature, TIMESTAMP_HASH } from '#pades/complete-signature.ts'
import { prepareSignature, type PreparedSignature } from '#pades/prepare-signature.ts'
import { withMoreRoom } from '#pades/sign.ts'
import { PlaceholderTooSmall } from '#pades/signature-dictionary.ts'
import { bufferSource } from '#pades/source.ts'
import { signWith, type RawSigner } from '#pki/raw-signer.ts'
import { parseTimestampToken } from '#pki/timestamp.ts'
import { failpoint, type Stage } from '#platform/failpoint.ts'
import { newId } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import { createHash } from 'node:crypto'
import { endIntent, insertIntent } from './intent-statements.ts'

/** Without an id it is the evidence. */
export type DocumentToSign = { documentId: string | null; bytes: Buffer; field: string }

export type MadeSignature = {
  documentId: string | null
  intentId: string
  field: string
  /** Over the byte range of the signed revision. */
  digest: Buffer
  /** Length of the document that was signed. */
  prefixBytes: number
  /** The whole file with the signature. */
  bytes: Buffer
  timestampToken: Buffer
  /** The moment in the timestamp. */
  stampedAt: Date
}

export type MakeSignatures = {
  stage: Stage
  tenantId: string
  requestId: string
  /** Absent for the seal. */
  signatoryId: string | null
  signer: RawSigner
  /** What the certificate says about how its owner was authenticated. */
  policy: string
  name: string
  appearance?: Appearance
  documents: readonly DocumentToSign[]
  now: Date
}

type Planned = DocumentToSign & { intentId: string; prepared: PreparedSignature }

/** Signs every document with a timestamp (B-T). Nothing is stored but the intents. */
export function makeSignatures(platform: Platform, signing: MakeSignatures): Promise<MadeSignature[]> {
  return withMoreRoom(async (reservedBytes) => {
    const planned = await planAll(platform, signing, reservedBytes)
    try {
      return await signAll(platform, signing, planned)
    } catch (error) {
      if (error instanceof PlaceholderTooSmall) await abandonAll(platform, signing, planned)
      throw error
    }
  })
}

async function signAll(
  platform: Platform,
  { signer, stage }: MakeSignatures,
  planned: readonly Planned[],
): Promise<MadeSignature[]> {
  await failpoint(`${stage}:before-key`)
  const values: Buffer[] = []
  for (const { prepared } of planned) values.push(await signWith(signer, prepared.signedAttributes))
  await failpoint(`${stage}:after-key`)
  const stamp = timestamper(platform)
  return Promise.all(
    planned.map(async ({ documentId, intentId, field, bytes, prepared }, index) => {
      const value = values[index]!
      const digest = createHash(TIMESTAMP_HASH).update(value).digest()
      const timestampToken = await stamp({ hash: TIMESTAMP_HASH, digest })
      const appended = completeSignature(prepared, value, timestampToken)
      return {
        documentId,
        intentId,
        field,
        digest: prepared.digest,
        prefixBytes: bytes.length,
        bytes: Buffer.concat([bytes, appended]),
        timestampToken,
        stampedAt: parseTimestampToken(timestampToken).info.time,
      }
    }),
  )
}

/** What was signed did not leave enough room for its timestamp, so it is no use to anybody. */
async function abandonAll(
  platform: Platform,
  { tenantId, now }: MakeSignatures,
  planned: readonly Planned[],
): Promise<void> {
  await platform.db.transaction(tenantId, async (tx) => {
    for (const { intentId } of planned) await endIntent.run(tx, { tenantId, id: intentId, state: 'abandoned', now })
  })
}

async function planAll(
  platform: Platform,
  signing: MakeSignatures,
  reservedBytes: number | undefined,
): Promise<Planned[]> {
  const { tenantId, requestId, signatoryId, signer, policy, name, appearance, documents, now } = signing
  const planned: Planned[] = []
  for (const toSign of documents) {
    const { bytes, field } = toSign
    const options = {
      field,
      time: now,
      name,
      ...(appearance && { appearance }),
      ...(reservedBytes && { reservedBytes }),
    }
    const prepared = await prepareSignature(bufferSource(bytes), signer, options)
    planned.push({ ...toSign, intentId: newId(), prepared })
  }
  await platform.db.transaction(tenantId, async (tx) => {
    for (const { documentId, intentId, prepared } of planned) {
      const { certificate } = signer
      const intent = { tenantId, requestId, signatoryId, documentId, certificate, policy, now }
      await insertIntent.run(tx, { ...intent, id: intentId, digest: prepared.digest })
    }
  })
  return planned
}
