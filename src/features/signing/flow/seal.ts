// The department's seal, and what makes the whole file last: validation data of everybody who signed and a document
// timestamp, in one revision.
import { collectValidationData, timestamper } from '#features/certificates/index.ts'
import { addArchiveTimestamp } from '#pades/sign.ts'
import { bufferSource } from '#pades/source.ts'
import type { ValidationData } from '#pades/validation-data.ts'
import type { Platform } from '#platform/platform.ts'

export type Archiving = {
  tenantId: string
  /** With the seal and its timestamp. */
  bytes: Buffer
  sealCertificate: Buffer
  timestampToken: Buffer
  stampedAt: Date
  /** What was collected when each person signed. */
  proofs: readonly ValidationData[]
}

/** The file at level B-LTA: all that proves it is inside. */
export async function archive(
  platform: Platform,
  { tenantId, bytes, sealCertificate, timestampToken, stampedAt, proofs }: Archiving,
): Promise<Buffer> {
  const fresh = await collectValidationData(platform, {
    tenantId,
    certificates: [sealCertificate],
    timestampTokens: [timestampToken],
    since: stampedAt,
    now: platform.clock.now(),
  })
  const validationData = merge([...proofs, fresh])
  const appended = await addArchiveTimestamp(bufferSource(bytes), { tsa: timestamper(platform), validationData })
  return Buffer.concat([bytes, appended])
}

function merge(all: readonly ValidationData[]): ValidationData {
  return {
    certificates: unique(all.flatMap(({ certificates }) => certificates)),
    ocsps: unique(all.flatMap(({ ocsps }) => ocsps)),
    crls: unique(all.flatMap(({ crls }) => crls)),
  }
}

function unique(buffers: readonly Buffer[]): Buffer[] {
  return [...new Map(buffers.map((buffer) => [buffer.toString('base64'), buffer])).values()]
}
