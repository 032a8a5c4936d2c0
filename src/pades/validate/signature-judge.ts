// Judges one signature by itself: its dictionary, its CMS, its own timestamps, its certificate.
import { createHash } from 'node:crypto'
import { findAlgorithmWeakness } from '#pki/algorithm-policy.ts'
import type { Certificate } from '#pki/certificate.ts'
import { publicKeyOf } from '#pki/certificate.ts'
import { parseSignedData, type SignedData } from '#pki/cms-reader.ts'
import { verifySignedData } from '#pki/cms-verify.ts'
import { PkiError } from '#pki/errors.ts'
import { OID } from '#pki/oids.ts'
import { entry, isName, type PdfDict } from '../value.ts'
import { MAX_TOKENS } from './bounds.ts'
import { judgeUnsignedParts, namesExactly, report } from './cms-rules.ts'
import { Findings } from './findings.ts'
import { judgeToken, readToken, type TokenAnswer } from './timestamp-judge.ts'
import { judgeTrust, type TrustAnswer, type TrustContext } from './trust.ts'

const SUBFILTERS = ['ETSI.CAdES.detached', 'adbe.pkcs7.detached']

/** The CMS of a signature dictionary, or undefined with the reason among the findings. */
export function readSignature(dict: PdfDict, contents: Buffer, findings: Findings): SignedData | undefined {
  const subFilter = entry(dict, 'SubFilter')
  const type = entry(dict, 'Type')
  if (!SUBFILTERS.some((known) => isName(subFilter, known)) || (type !== undefined && !isName(type, 'Sig'))) {
    findings.fail('FORMAT_FAILURE', 'The signature is of a kind that is not accepted.')
    return undefined
  }
  if (entry(dict, 'Filter')?.kind !== 'name') findings.fail('FORMAT_FAILURE', 'The signature names no handler.')
  return readCms(contents, findings)
}

function readCms(contents: Buffer, findings: Findings): SignedData | undefined {
  try {
    const signedData = parseSignedData(contents)
    if (signedData.contentType === OID.data && signedData.content === undefined) return signedData
    findings.fail('FORMAT_FAILURE', 'The signature carries content of its own.')
  } catch (error) {
    if (!(error instanceof PkiError)) throw error
    findings.fail('FORMAT_FAILURE', `The signature cannot be read: ${error.message}`)
  }
  return undefined
}

export interface SignatureQuestion {
  readonly signedData: SignedData
  readonly digest: Buffer
  /** A document timestamp proves that the signature existed by then. */
  readonly provenAt: Date | undefined
}

export interface SignatureAnswer {
  readonly certificate: Certificate | undefined
  readonly provenTime: Date | undefined
  readonly trust: TrustAnswer | undefined
  /** The signature's own timestamps that hold. */
  readonly tokens: readonly TokenAnswer[]
  /** It carries a timestamp in which nothing is wrong, be it proven or not. */
  readonly isStamped: boolean
}

/** Judges arithmetic, timestamps and certificate. */
export function judgeSignature(
  { signedData, digest, provenAt }: SignatureQuestion,
  context: TrustContext,
  findings: Findings,
): SignatureAnswer {
  const verdict = verifySignedData(signedData, digest)
  report(verdict.findings, findings)
  const { tokens, isStamped } = judgeTokens({ signedData, provenAt }, context, findings)
  const provenTime = earliest([...tokens.map(({ time }) => time), ...(provenAt ? [provenAt] : [])])
  const certificate = verdict.signerCertificate
  if (certificate === undefined) return { certificate, provenTime, trust: undefined, tokens, isStamped }
  if (!namesExactly(signedData, certificate)) {
    findings.question('FORMAT_FAILURE', 'The signature names its certificate inexactly.')
  }
  judgeAlgorithm({ signedData, certificate, time: provenTime ?? context.now }, findings)
  judgeUsage(certificate, findings)
  const trust = judgeTrust(
    { certificate, companions: verdict.certificates, purpose: 'signature', provenAt: provenTime, since: provenTime },
    context,
    findings,
  )
  judgeUnsignedParts({ signedData, certificates: verdict.certificates }, context, findings)
  return { certificate, provenTime, trust, tokens, isStamped }
}

function judgeAlgorithm(
  { signedData, certificate, time }: { signedData: SignedData; certificate: Certificate; time: Date },
  findings: Findings,
): void {
  try {
    const weakness = findAlgorithmWeakness({
      scheme: signedData.signer.scheme,
      publicKey: publicKeyOf(certificate),
      time,
    })
    const isNamedWeakly = ['md5', 'sha1'].includes(signedData.signer.signingCertificate?.hash ?? '')
    if (isNamedWeakly)
      findings.question('CRYPTO_CONSTRAINTS_FAILURE_NO_POE', 'The certificate is named by a broken hash.')
    if (weakness !== undefined) findings.question('CRYPTO_CONSTRAINTS_FAILURE_NO_POE', weakness)
  } catch (error) {
    if (!(error instanceof PkiError)) throw error
    findings.question('CRYPTO_CONSTRAINTS_FAILURE_NO_POE', error.message)
  }
}

/** Keys that are certified for nothing but these do not sign documents. */
const FOREIGN_USAGES = new Set<string>([OID.timeStamping, OID.ocspSigning, '1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.3'])

function judgeUsage({ extendedKeyUsage }: Certificate, findings: Findings): void {
  if (extendedKeyUsage === undefined || !extendedKeyUsage.every((usage) => FOREIGN_USAGES.has(usage))) return
  findings.question('CHAIN_CONSTRAINTS_FAILURE', 'The certificate is not meant for signing documents.')
}

/** A token that does not hold is a doubt about the signature: it is there to prove something, and does not. */
function judgeTokens(
  { signedData, provenAt }: Pick<SignatureQuestion, 'signedData' | 'provenAt'>,
  context: TrustContext,
  findings: Findings,
): Pick<SignatureAnswer, 'tokens' | 'isStamped'> {
  const { signature, timestampTokens } = signedData.signer
  const answers: TokenAnswer[] = []
  let isStamped = false
  if (timestampTokens.length > MAX_TOKENS)
    findings.question('SIG_CONSTRAINTS_FAILURE', 'It carries too many timestamps.')
  for (const der of timestampTokens.slice(0, MAX_TOKENS)) {
    const own = new Findings()
    const token = readToken(der, own)
    const digestOf = (hash: string) => createHash(hash).update(signature).digest()
    const answer = token && judgeToken({ token, digestOf, provenAt, isNewest: false }, context, own)
    for (const { message } of own.list.filter(({ weight }) => weight !== 'note')) {
      findings.question(own.result.subIndication ?? 'GENERIC', `About its timestamp: ${message}`)
    }
    if (answer !== undefined && own.isClean) answers.push(answer)
    isStamped ||= answer !== undefined && !own.hasFailed
  }
  return { tokens: answers, isStamped }
}

const earliest = (times: Date[]): Date | undefined =>
  times.reduce<Date | undefined>((first, time) => (first === undefined || time < first ? time : first), undefined)
