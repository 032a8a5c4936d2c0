// Signatures: what is in the files, held against what was shown, confirmed and recorded.
import { createHash } from 'node:crypto'
import type { IntentRow, Rows } from '../rows.ts'
import { hasEvidence } from './evidence.ts'
import { intendedSeals, type IntendedSeal } from './intended-seals.ts'
import { byId, each, keyOf, together, type Finding, type Invariant } from './invariant.ts'
import { isSignature, revisionsOf } from './revisions.ts'

/** Server and worker each keep the time of the database as well as they hear of it. */
const CLOCKS_DIFFER_MS = 5_000
const SEALED = new Set(['Processed', 'Closed', 'Archiving', 'Archived', 'ArchivingFailed'])

export const SIGNATURES: readonly Invariant[] = [
  {
    name: 'signatures-in-the-file',
    says: 'A document holds exactly the signatures that are recorded: one of each signatory who has signed, and the seal.',
    check(world) {
      const { rows, signed } = world
      const revisions = revisionsOf(world)
      const people = Map.groupBy(rows.signatory, ({ request_id: id }) => id)
      const signing = each(rows.signature_document, ({ tenant_id: tenantId, id, request_id: requestId, sha256 }) => {
        const all = (revisions.get(keyOf(tenantId, id)) ?? []).filter(isSignature)
        const persons = (people.get(requestId) ?? []).filter(({ state }) => state === 'Signed').length
        const recorded = all.filter(({ kind }) => kind === 'signature').length
        if (persons !== recorded) return `document ${id} has ${recorded} signatures, ${persons} people have signed`
        const report = signed.get(sha256.toString('hex'))
        const inFile = report?.signatures.length ?? 0
        if (inFile !== all.length) return `document ${id} holds ${inFile} signatures, recorded are ${all.length}`
        const isSealed = all.some(({ kind }) => kind === 'seal')
        return isSealed && report?.verdict !== 'valid' && `document ${id} is sealed and ${report?.verdict}`
      })
      const stored = byId(rows.stored_document)
      const sealed = rows.sealing_document.filter(({ sealed_document_id: sealedId }) => sealedId !== null)
      const sealing = each(sealed, ({ tenant_id: tenantId, id, sealed_document_id: sealedId }) => {
        const report = signed.get(stored.get(keyOf(tenantId, sealedId!))?.sha256.toString('hex') ?? '')
        if (report?.signatures.length !== 1)
          return `sealed document ${id} holds ${report?.signatures.length ?? 0} seals`
        return report.verdict !== 'valid' && `document ${id} is sealed and ${report.verdict}`
      })
      return together(signing, sealing)
    },
  },
  {
    name: 'signs-once',
    says: 'A signatory signs a document once, and no group signs before the one in front of it.',
    check({ rows }) {
      const signings = Map.groupBy(
        rows.event.filter(({ type }) => type === 'signatorysigned'),
        ({ signatory_id: id }) => id,
      )
      const people = Map.groupBy(rows.signatory, ({ request_id: id }) => id)
      return together(
        each(signings, ([id, all]) => all.length > 1 && `${id} signed ${all.length} times`),
        each(people.values(), (all) => {
          const early = all.find(
            (one) =>
              one.signed_at !== null &&
              all.some(
                (other) =>
                  other.is_mandatory &&
                  other.signing_order < one.signing_order &&
                  (other.signed_at === null || other.signed_at > one.signed_at!),
              ),
          )
          return early && `${early.id} signed before the group in front`
        }),
      )
    },
  },
  {
    name: 'shown-confirmed-signed',
    says: 'The bytes that a person was shown, those that were confirmed and those that were signed are the same.',
    check(world) {
      const { rows, ledger } = world
      const revisions = revisionsOf(world)
      const confirmations = new Map(rows.signature_confirmation.map((row) => [row.signatory_id, row]))
      const done = ledger.sittings.filter(({ deed, outcome }) => deed === 'sign' && outcome === 'done')
      return together(
        each(done, ({ signatoryId, shown }) => {
          const confirmation = confirmations.get(signatoryId)
          const other = confirmation?.documents.find(({ id, sha256 }) => shown.get(id) !== sha256)
          return other && `${signatoryId} was shown ${shown.get(other.id)} of ${other.id} and confirmed ${other.sha256}`
        }),
        each(rows.signature_confirmation, ({ tenant_id: tenantId, signatory_id: signatoryId, documents }) => {
          const unknown = documents.find(({ id, sha256 }) => {
            const all = revisions.get(keyOf(tenantId, id)) ?? []
            return !all.some((revision) => revision.sha256.toString('hex') === sha256)
          })
          return unknown && `${signatoryId} confirmed ${unknown.sha256}, which no revision of ${unknown.id} is`
        }),
      )
    },
  },
  {
    name: 'keys-are-counted',
    says: 'As many uses of a key are recorded as there are signatures and seals, also of evidence and of sealing requests, each of a person after that person’s confirmation.',
    check(world) {
      const { rows } = world
      const used = rows.signature_intent.filter(({ state }) => state === 'used')
      const confirmed = new Map(rows.signature_confirmation.map((row) => [row.signatory_id, row.confirmed_at]))
      const erased = new Set(rows.event.filter(({ type }) => type === 'signatoryerased').map((e) => e.signatory_id))
      const byDocument = Map.groupBy(used, ({ tenant_id: tenantId, document_id: id }) => keyOf(tenantId, id ?? ''))
      const revisions = revisionsOf(world)
      return together(
        each(rows.signature_document, ({ tenant_id: tenantId, id }) => {
          const uses = byDocument.get(keyOf(tenantId, id))?.length ?? 0
          const signatures = (revisions.get(keyOf(tenantId, id)) ?? []).filter(isSignature).length
          return uses !== signatures && `document ${id} has ${signatures} signatures by ${uses} uses of a key`
        }),
        each(
          rows.signature_intent.filter(({ signatory_id: id }) => id !== null),
          ({ id, signatory_id: signatoryId, created_at: createdAt }) => {
            const confirmedAt = confirmed.get(signatoryId!)
            // With a person, the confirmation is erased too.
            if (confirmedAt === undefined) return !erased.has(signatoryId) && `intent ${id} has no confirmation`
            const isEarlier = createdAt.getTime() < confirmedAt.getTime() - CLOCKS_DIFFER_MS
            return isEarlier && `intent ${id} is from before the confirmation`
          },
        ),
        countEvidence(rows, used),
        countSeals(rows),
      )
    },
  },
  {
    name: 'no-signature-unrecorded',
    says: 'No file holds a signature of which there is no record from before the key was used, not even a file that nobody names.',
    check({ rows, files, signed, arrivedBefore }) {
      const planned = new Set(
        rows.signature_intent.map(({ certificate, digest }) => useOf(hashOf(certificate), digest)),
      )
      const seals = new Set(
        rows.certificate.flatMap((row) => (row.kind === 'seal' && row.certificate ? [hashOf(row.certificate)] : [])),
      )
      const intended = [...intendedSeals(rows).values()].flat(2)
      const sources = new Set(intended.map(({ sourceSha256 }) => sourceSha256))
      const before = [...files.values()].filter(
        ({ name, sha256 }) => arrivedBefore.files.has(name) && signed.has(sha256),
      )
      return each(before, ({ name, sha256, bytes }) => {
        const digests = signedDigests(bytes)
        const unknown = signed.get(sha256)!.signatures.find(({ certificates, coverage }) => {
          const certificate = certificates[0]?.sha256 ?? ''
          if (planned.has(useOf(certificate, digests.get(coverage.end ?? 0)))) return false
          return !seals.has(certificate) || !beginningsOf(bytes).some((start) => sources.has(hashOf(start)))
        })
        return unknown && `the file ${name} holds a signature of ${unknown.subject} that nobody recorded`
      })
    },
  },
]

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const useOf = (certificate: string, digest: Buffer | undefined) => `${certificate} ${digest?.toString('hex')}`

/** The evidence is sealed by one use of the seal, which names no document. */
function countEvidence({ signature_request: requests }: Rows, used: readonly IntentRow[]): Finding {
  const ofEvidence = used.filter(
    ({ document_id: id, signatory_id: signatoryId }) => id === null && signatoryId === null,
  )
  const uses = Map.groupBy(ofEvidence, ({ tenant_id: tenantId, request_id: id }) => keyOf(tenantId, id))
  const expected = requests.filter(
    (row) => hasEvidence(row.evidence_document_id) || uses.has(keyOf(row.tenant_id, row.id)),
  )
  return each(expected, ({ tenant_id: tenantId, id, evidence_document_id: evidenceId }) => {
    const times = uses.get(keyOf(tenantId, id))?.length ?? 0
    const files = hasEvidence(evidenceId) ? 1 : 0
    return times !== files && `${id} has ${files} files of evidence by ${times} uses of a key`
  })
}

/** Every seal was on record before, and of a request that is sealed all are there that were. */
function countSeals(rows: Rows): Finding {
  const intended = intendedSeals(rows)
  const stored = byId(rows.stored_document)
  const nameOf = ({ id, sourceSha256 }: IntendedSeal) => `${id} ${sourceSha256}`
  const sealed = Map.groupBy(
    rows.sealing_document.filter(({ sealed_document_id: id }) => id !== null),
    ({ tenant_id: tenantId, request_id: id }) => keyOf(tenantId, id),
  )
  const begun = rows.sealing_request.filter(({ tenant_id: tenantId, id }) => {
    const key = keyOf(tenantId, id)
    return intended.has(key) || sealed.has(key)
  })
  return each(begun, ({ tenant_id: tenantId, id: requestId, status }) => {
    const planned = intended.get(keyOf(tenantId, requestId)) ?? []
    const seals = (sealed.get(keyOf(tenantId, requestId)) ?? []).map(({ id, source_document_id: sourceId }) => {
      const sourceSha256 = stored.get(keyOf(tenantId, sourceId))?.sha256.toString('hex') ?? ''
      return nameOf({ id, sourceSha256 })
    })
    const unplanned = seals.find((name) => !planned.flat().map(nameOf).includes(name))
    if (unplanned !== undefined) return `${requestId} has a seal that was not on record: ${unplanned}`
    const missing = SEALED.has(status) && planned.at(-1)?.find((seal) => !seals.includes(nameOf(seal)))
    return missing && `${requestId} is ${status}, and ${missing.id}, which was to be sealed, is not`
  })
}

/** What each signature of a file was made over, by the byte at which that ends. */
function signedDigests(bytes: Buffer): Map<number, Buffer> {
  const ranges = bytes.toString('latin1').matchAll(/\/ByteRange ?\[0 (\d+) (\d+) (\d+)/g)
  return new Map(
    [...ranges].map((range) => {
      const [, first, second, length] = range.map(Number) as [number, number, number, number]
      const hash = createHash('sha256').update(bytes.subarray(0, first))
      return [second + length, hash.update(bytes.subarray(second, second + length)).digest()]
    }),
  )
}

const END = '%%EOF\n'

/** A file up to the end of each of its revisions. */
function beginningsOf(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = bytes.indexOf(END); at >= 0; at = bytes.indexOf(END, at + 1))
    found.push(bytes.subarray(0, at + END.length))
  return found
}
