// Revocation data about certificates that others have issued: imported seals, outside timestamp authorities. Their
// certificates say where to ask; those addresses are nobody's word that we trust, so only public ones are asked, and
// those that the operator names.
import type { ValidationData } from '#pades/validation-data.ts'
import type { Certificate } from '#pki/certificate.ts'
import { parseCrl } from '#pki/crl.ts'
import { buildOcspRequest } from '#pki/ocsp-request.ts'
import { parseOcspResponse } from '#pki/ocsp.ts'
import { judgeRevocation, listToProtect, type RevocationData } from '#pki/validation-data.ts'
import { fetchBytes, OutboundError } from '#platform/outbound/fetch-bytes.ts'
import { sealCertificateRevoked } from './errors.ts'

const TIMEOUT_MS = 10_000
const MOST_OCSP_BYTES = 64 * 1024
const MOST_CRL_BYTES = 4 * 1024 * 1024
const MOST_ADDRESSES = 3

type Times = { since: Date; now: Date }
type Asking = Times & { /** Of the operator's own choice; they may lie anywhere. */ origins: readonly string[] }
type Link = { certificate: Certificate; issuer: Certificate }

/** True where there is a place to ask about every certificate of the path that needs it. */
export function canBeProtected(path: Certificate[]): boolean {
  return listToProtect(path).every(
    ({ certificate: { ocspAddresses, crlAddresses } }) => ocspAddresses.length + crlAddresses.length > 0,
  )
}

/** Data that proves the whole path good at a time not before `since`; throws where it can't be had yet. */
export async function fetchProtection(path: Certificate[], asking: Asking): Promise<ValidationData> {
  const found: ValidationData[] = []
  for (const link of listToProtect(path)) found.push(await protect(link, asking))
  return {
    certificates: [...path.map(({ raw }) => raw), ...found.flatMap(({ certificates }) => certificates)],
    ocsps: found.flatMap(({ ocsps }) => ocsps),
    crls: found.flatMap(({ crls }) => crls),
  }
}

async function protect(link: Link, { origins, ...times }: Asking): Promise<ValidationData> {
  for (const ask of [askResponder, askForList]) {
    const data = await ask(link, origins)
    const verdict = judgeRevocation({ ...link, data, ...times })
    if (verdict.status === 'revoked') throw sealCertificateRevoked()
    if (verdict.status !== 'good') continue
    const { source, raw, responder } = verdict
    return {
      certificates: responder ? [responder.raw] : [],
      ocsps: source === 'ocsp' ? [raw] : [],
      crls: source === 'crl' ? [raw] : [],
    }
  }
  throw new OutboundError('nobody has said yet, since the timestamp, that the certificates in the chain are good')
}

async function askResponder({ certificate, issuer }: Link, origins: readonly string[]): Promise<RevocationData> {
  const body = buildOcspRequest(certificate, issuer)
  const headers = { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' }
  const request = { method: 'POST', body, headers, mostBytes: MOST_OCSP_BYTES } as const
  const answers = await askAll(certificate.ocspAddresses, origins, request)
  return { ocspResponses: readThoseReadable(answers, parseOcspResponse), crls: [] }
}

async function askForList({ certificate }: Link, origins: readonly string[]): Promise<RevocationData> {
  const answers = await askAll(certificate.crlAddresses, origins, { method: 'GET', mostBytes: MOST_CRL_BYTES })
  return { ocspResponses: [], crls: readThoseReadable(answers, parseCrl) }
}

type Question = { method: 'GET' | 'POST'; body?: Buffer; headers?: Record<string, string>; mostBytes: number }

/** The first address that answers; the others say the same. */
async function askAll(addresses: string[], origins: readonly string[], question: Question): Promise<Buffer[]> {
  for (const url of addresses.slice(0, MOST_ADDRESSES)) {
    if (!URL.canParse(url)) continue
    try {
      const isChosenByOperator = origins.includes(new URL(url).origin)
      return [await fetchBytes({ ...question, url, isChosenByOperator, timeoutMs: TIMEOUT_MS })]
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
    }
  }
  return []
}

function readThoseReadable<T>(answers: Buffer[], parse: (der: Buffer) => T): T[] {
  return answers.flatMap((answer) => {
    try {
      return [parse(answer)]
    } catch {
      return []
    }
  })
}
