// What a validator will need when nobody can be asked any more: the certificates of a signature and fresh answers about
// each of them. An answer from before the timestamp would prove nothing about its moment, so all are made here and now.
import { setTimeout as wait } from 'node:timers/promises'
import type { ValidationData } from '#pades/validation-data.ts'
import { parseCertificate, type Certificate } from '#pki/certificate.ts'
import { parseSignedData } from '#pki/cms-reader.ts'
import { parseThoseReadable } from '#pki/cms-verify.ts'
import { validatePath } from '#pki/path.ts'
import { isTimestampCertificate } from '#pki/timestamp.ts'
import type { Platform } from '#platform/platform.ts'
import { listIssuedStatuses, listIssuingAuthorities } from './certificate-statements.ts'
import { AnswerDesk } from './answer-desk.ts'
import { ensureInstallation } from './installation.ts'
import { fetchProtection } from './outside-revocation.ts'
import { keyIdOf } from './publish.ts'
import { openSigner } from './signer-cache.ts'
import { ensureTenantAuthority } from './tenant-authority.ts'

export type ValidationQuestion = {
  tenantId: string
  /** Of those who signed: signatories and seals, DER. */
  certificates: readonly Buffer[]
  /** The tokens that protect them; needed where the authority is an outside one. */
  timestampTokens?: readonly Buffer[]
  /** The latest moment that must be covered: that of the timestamp. */
  since: Date
  now: Date
}

/** Certificates and answers, none older than `since`. Throws where a certificate is revoked or an answer can't be had. */
export async function collectValidationData(platform: Platform, question: ValidationQuestion): Promise<ValidationData> {
  const { tenantId, timestampTokens = [], now } = question
  const { root, responder: rootResponder, timestamp } = await ensureInstallation(platform, now)
  const { responder } = await ensureTenantAuthority(platform, { tenantId, now })
  const { timestamps, revocationOrigins: origins } = platform.config
  // Our own authority stamps whole seconds.
  const since = timestamps === undefined ? floorToSecond(question.since) : question.since
  const at = await wholeSecondFrom({ since, now })
  const name = [tenantId, ...question.certificates.map((der) => der.toString('base64'))].join()
  const known = recallAnswers(platform, at, name)
  if (known !== undefined) return known
  const { rows, authorities } = await readStored(platform, question)
  if (rows.some(({ revokedAt }) => revokedAt !== null)) {
    throw new Error('the certificate of the signature has been revoked')
  }
  const isAllOurs = timestamps === undefined && rows.every(({ origin }) => origin === 'issued')
  const desk = new AnswerDesk({ root, responders: [rootResponder, responder], at })
  for (const { certificate: der, origin, chain } of rows) {
    const certificate = parseCertificate(der)
    if (origin === 'issued') await desk.addIssued(certificate, findIssuer(certificate, authorities))
    else desk.add(await fetchProtection([certificate, ...chain.map(parseCertificate)], { since, now: at, origins }))
  }
  if (timestamps === undefined) await desk.addIssued(parseCertificate(timestamp.certificate), root)
  else
    for (const token of timestampTokens)
      desk.add(await fetchProtection(pathOf(token, timestamps), { since, now: at, origins }))
  // What the root has issued is never revoked, only replaced: its list is empty.
  await desk.addRootList()
  const data = desk.data()
  if (isAllOurs) rememberAnswers(platform, at, name, data)
  return data
}

/**
 * Answers of ours carry whole seconds and tell what was known then: what is asked again within the same one is answered in
 * the same way. By two clocks, because the one on the wall may be set back or stand still.
 */
type Second = { at: number; begunAt: number; answers: Map<string, ValidationData> }

const SECOND_MS = 1000
const MOST_ANSWERS = 100
const seconds = new WeakMap<Platform, Second>()

function recallAnswers(platform: Platform, at: Date, name: string): ValidationData | undefined {
  return presentSecond(platform, at)?.answers.get(name)
}

function rememberAnswers(platform: Platform, at: Date, name: string, data: ValidationData): void {
  const second = presentSecond(platform, at) ?? { at: at.getTime(), begunAt: performance.now(), answers: new Map() }
  seconds.set(platform, second)
  if (second.answers.size < MOST_ANSWERS) second.answers.set(name, data)
}

function presentSecond(platform: Platform, at: Date): Second | undefined {
  const second = seconds.get(platform)
  const isPresent = second?.at === at.getTime() && performance.now() - second.begunAt < SECOND_MS
  return isPresent ? second : undefined
}

const LONGEST_WAIT_MS = 5_000

const floorToSecond = (moment: Date) => new Date(Math.floor(moment.getTime() / 1000) * 1000)

/** Answers carry whole seconds: one of the same second as a timestamp with fractions would lie before it. */
async function wholeSecondFrom({ since, now }: Pick<ValidationQuestion, 'since' | 'now'>): Promise<Date> {
  const earliest = Math.ceil(since.getTime() / 1000) * 1000
  const present = floorToSecond(now)
  if (present.getTime() >= earliest) return present
  const aheadMs = earliest - now.getTime()
  // Answers from the future convince nobody: a clock that far apart is a trouble for a person, not for patience.
  if (aheadMs > LONGEST_WAIT_MS)
    throw new Error(`the timestamp lies ${Math.round(aheadMs / 1000)} s ahead of our clock`)
  await wait(aheadMs)
  return new Date(earliest)
}

async function readStored(platform: Platform, { tenantId, certificates }: ValidationQuestion) {
  const serials = certificates.map((der) => parseCertificate(der).serial)
  const [rows, stored] = await platform.db.transaction(
    tenantId,
    (tx) =>
      Promise.all([
        listIssuedStatuses.many(tx, { tenantId, certificates: [...certificates], serials }),
        listIssuingAuthorities.many(tx, { tenantId }),
      ]),
    { isReadOnly: true },
  )
  if (!certificates.every((der) => rows.some((row) => row.certificate.equals(der)))) {
    throw new Error('the signature was made with a certificate that is not known here')
  }
  return { rows, authorities: stored.map((row) => openSigner(platform, { ...row, tenantId })) }
}

function findIssuer<T extends { certificate: Buffer }>({ authorityKeyIdentifier }: Certificate, authorities: T[]): T {
  const isIssuer = (der: Buffer) => authorityKeyIdentifier?.equals(keyIdOf(parseCertificate(der)))
  const found = authorities.find(({ certificate }) => isIssuer(certificate))
  if (found === undefined) throw new Error('the authority of a certificate is not known here')
  return found
}

/** From an outside timestamp signer up to what the operator trusts. */
function pathOf(token: Buffer, { anchors }: { anchors: readonly Buffer[] }): Certificate[] {
  const certificates = parseThoseReadable(parseSignedData(token).certificates)
  const certificate = certificates.find(isTimestampCertificate)
  if (certificate === undefined) throw new Error('the timestamp does not carry the certificate of its signer')
  const time = certificate.notBefore
  const trusted = anchors.map(parseCertificate)
  return validatePath({ certificate, intermediates: certificates, anchors: trusted, time, purpose: 'any' }).path
}
