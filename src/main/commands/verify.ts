// `countersign verify FILE`: the validator alone, without any server.
import { createHash, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import type { SignatureReport, ValidationReport, Verdict } from '#pades/validate/report.ts'
import { CommandFailure, EXIT, type Arguments, type Command, type ExitCode } from '../command-line/command.ts'
import type { Terminal } from '../command-line/terminal.ts'

const MOST_BYTES = 512 * 1024 * 1024
const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

const VERDICTS: Readonly<Record<Verdict, { exitCode: ExitCode; words: string }>> = {
  valid: { exitCode: EXIT.good, words: 'Valid: the document is what was signed.' },
  invalid: { exitCode: EXIT.bad, words: 'Invalid: it was changed after it was signed, or a signature in it is wrong.' },
  indeterminate: { exitCode: EXIT.doubt, words: 'In doubt: something could not be confirmed.' },
  unsigned: { exitCode: EXIT.nothing, words: 'Unsigned: nobody has signed this document.' },
}

export const verify: Command = {
  purpose: 'judge the signatures of a PDF, without any server',
  description:
    'Judges every signature and timestamp of a PDF: who, when, which level, and what changed afterwards. Nothing is ' +
    'asked of anybody: what proves the signatures must be in the file (PAdES B-LT or B-LTA). Signatures of authorities ' +
    'that are not trusted are in doubt; the certificates in an evidence zip hold the root that it was made under.',
  positionals: ['FILE'],
  options: {
    trust: {
      value: 'FILE',
      about: 'Certificates (PEM) of the authorities to trust. Default: the file that COUNTERSIGN_TRUST_FILE names.',
    },
    at: { value: 'TIME', about: 'Judge as of this moment (ISO 8601) instead of now.' },
  },
  exitCodes: { 0: 'valid', 1: 'invalid, or the file could not be read', 3: 'in doubt', 4: 'unsigned' },
  async run(terminal, given) {
    const bytes = await readDocument(given.positionals[0]!)
    const report = await validatePdf(bytes, { trustAnchors: await readTrust(given, terminal), time: readTime(given) })
    const { exitCode, words } = VERDICTS[report.verdict]
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    terminal.answer({ ...report, sha256 }, [words, ...describe(report)])
    return exitCode
  },
}

async function readDocument(path: string): Promise<Buffer> {
  const bytes = await readFile(path)
  if (bytes.length > MOST_BYTES) throw new CommandFailure(`${path} is larger than ${MOST_BYTES} bytes`)
  if (!bytes.subarray(0, 1024).includes('%PDF-')) throw new CommandFailure(`${path} is not a PDF`)
  return bytes
}

async function readTrust(given: Arguments, { environment }: Terminal): Promise<Buffer[]> {
  const path = given.text('trust') ?? environment['COUNTERSIGN_TRUST_FILE']
  if (path === undefined || path === '') return []
  const found = (await readFile(path, 'utf8')).match(PEM) ?? []
  if (found.length === 0) throw new CommandFailure(`${path} holds no certificate in PEM form`, { exitCode: EXIT.usage })
  return found.map((pem) => new X509Certificate(pem).raw)
}

function readTime(given: Arguments): Date {
  const text = given.text('at')
  const time = text === undefined ? new Date() : new Date(text)
  if (Number.isNaN(time.getTime())) {
    throw new CommandFailure('--at must be a moment such as 2026-11-15T12:00:00Z', { exitCode: EXIT.usage })
  }
  return time
}

function describe({ signatures, timestamps, findings }: ValidationReport): string[] {
  const about = signatures.length + timestamps.length === 0 ? findings.map(({ message }) => `  ${message}`) : []
  return [...about, ...[...signatures, ...timestamps].flatMap((signature) => ['', ...describeSignature(signature)])]
}

function describeSignature(signature: SignatureReport): string[] {
  const { kind, subject, indication, subIndication, level, provenTime, claimedTime } = signature
  const certificates = signature.certificates.map((certificate) => certificate.subject)
  return [
    `${kind === 'signature' ? 'Signature' : 'Timestamp'}: ${subject ?? 'name unknown'}`,
    `  verdict      ${[indication, subIndication].filter(Boolean).join(' ')}`,
    ...(provenTime ? [`  proven time  ${provenTime.toISOString()}`] : []),
    ...(claimedTime ? [`  claims       ${claimedTime.toISOString()}`] : []),
    ...(level ? [`  level        PAdES ${level}`] : []),
    ...(certificates.length > 0 ? [`  chain        ${certificates.join(' < ')}`] : []),
    ...describeAfterwards(signature),
    ...signature.findings.map(({ weight, message }) => `  ${weight.padEnd(12)} ${message}`),
  ]
}

const AFTERWARDS: Readonly<Record<SignatureReport['changedAfterwards'], string>> = {
  no: 'nothing was added',
  explained: 'added, without changing what was signed:',
  unexplained: 'the document was changed',
  unknown: 'could not be told',
}

function describeAfterwards({ changedAfterwards, additions }: SignatureReport): string[] {
  return [
    `  afterwards   ${AFTERWARDS[changedAfterwards]}`,
    ...additions.map(({ revision, message }) => `               revision ${revision}: ${message}`),
  ]
}
