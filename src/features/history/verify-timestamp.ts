// When a checkpoint existed at the latest, by the word of a timestamp authority. `openssl ts -verify` asks the same.
import { createHash } from 'node:crypto'
import { parseCertificate } from '#pki/certificate.ts'
import { PkiError } from '#pki/errors.ts'
import { formatName } from '#pki/names.ts'
import { validatePath } from '#pki/path.ts'
import { parseTimestampToken, verifyTimestampToken, type TimestampVerdict } from '#pki/timestamp.ts'

export type TimestampCheck =
  | { isGood: true; time: Date; authority: string; isTrusted: boolean }
  | { isGood: false; problem: string }

/** Checks a token over a checkpoint. Without anchors it is still checked, but nobody vouches for the authority. */
export function verifyCheckpointTimestamp(
  checkpoint: string,
  token: Buffer,
  anchors: readonly Buffer[] | undefined,
): TimestampCheck {
  try {
    const verdict = verifyTimestampToken(parseTimestampToken(token), (hash) =>
      createHash(hash).update(checkpoint).digest(),
    )
    const problem = verdict.findings[0] ?? (anchors && findUntrusted(verdict, anchors))
    if (problem !== undefined || verdict.authority === undefined)
      return { isGood: false, problem: problem ?? 'unsigned' }
    const { time, authority } = verdict
    return { isGood: true, time, authority: formatName(authority.subject), isTrusted: anchors !== undefined }
  } catch (error) {
    if (error instanceof PkiError) return { isGood: false, problem: error.message }
    throw error
  }
}

function findUntrusted({ authority, certificates, time }: TimestampVerdict, anchors: readonly Buffer[]) {
  const { problems } = validatePath({
    certificate: authority!,
    intermediates: certificates,
    anchors: anchors.map(parseCertificate),
    time,
    purpose: 'timestamp',
  })
  return problems[0]?.message
}
