// Documents and signatures: what is in the files, held against what was shown, confirmed and recorded.
import { createHash } from 'node:crypto'
import type { Rows } from '../rows.ts'
import type { World } from '../world.ts'
import { byId, each, keyOf, together, type Invariant } from './invariant.ts'

type Revision = Rows['signature_revision'][number]

function revisionsOf({ rows }: World): Map<string, Revision[]> {
  const sorted = rows.signature_revision.toSorted((a, b) => a.number - b.number)
  return Map.groupBy(sorted, (revision) => keyOf(revision.tenant_id, revision.document_id))
}

function bytesOf({ files }: World, tenantId: string, sha256: Buffer): Buffer | undefined {
  return files.get(keyOf(tenantId, sha256.toString('hex')))?.bytes
}

const isSignature = ({ kind }: Revision) => kind === 'signature' || kind === 'seal'
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

type Completed = { data?: { documents?: { id: string; sha256: string }[] } }

export const FILES: readonly Invariant[] = [
  {
    name: 'every-file-is-there',
    says: 'Every document that the database names is there, whole, and every stored file hashes to its name.',
    check: ({ rows, files }) =>
      together(
        each(rows.stored_document, ({ tenant_id: tenantId, id, sha256, size_bytes: size }) => {
          const file = files.get(keyOf(tenantId, sha256.toString('hex')))
          if (file === undefined) return `document ${id} has no file`
          return file.bytes.length !== Number(size) && `document ${id} has ${file.bytes.length} bytes, not ${size}`
        }),
        each(files.values(), ({ name, sha256 }) => name !== sha256 && `the file ${name} hashes to ${sha256}`),
      ),
  },
  {
    name: 'revisions-only-add',
    says: 'Each revision of a document begins with all bytes of the one before.',
    check(world) {
      const stored = byId(world.rows.stored_document)
      const revisions = revisionsOf(world)
      return each(world.rows.signature_document, ({ tenant_id: tenantId, id, source_document_id: sourceId }) => {
        const source = stored.get(keyOf(tenantId, sourceId))
        const all = [
          ...(source ? [source.sha256] : []),
          ...(revisions.get(keyOf(tenantId, id)) ?? []).map((r) => r.sha256),
        ]
        const bytes = all.map((sha256) => bytesOf(world, tenantId, sha256) ?? Buffer.alloc(0))
        const broken = bytes.findIndex(
          (next, index) => index > 0 && !next.subarray(0, bytes[index - 1]!.length).equals(bytes[index - 1]!),
        )
        return broken > 0 && `revision ${broken} of document ${id} does not begin with the one before`
      })
    },
  },
  {
    name: 'sealed-never-changes',
    says: 'The bytes of a sealed document, and those behind any address, are the same in every copy that anybody ever gets.',
    check(world) {
      const { rows, ledger } = world
      const stored = byId(rows.stored_document)
      const bodies = new Map(rows.event_body.map(({ event_id: id, body }) => [id, body]))
      const revisions = revisionsOf(world)
      const completed = rows.event.filter(({ type }) => type === 'signaturerequestcompleted')
      return together(
        each(ledger.downloads, ({ tenantId, uri, sha256 }) => {
          const recorded = stored.get(keyOf(tenantId, uri))?.sha256.toString('hex')
          return (
            recorded !== undefined && recorded !== sha256 && `${uri} was downloaded as ${sha256}, it is ${recorded}`
          )
        }),
        each(completed, ({ id, tenant_id: tenantId }) => {
          const { data } = JSON.parse(bodies.get(id)?.toString() ?? '{}') as Completed
          const changed = data?.documents?.find(({ id: documentId, sha256 }) => {
            const seal = revisions.get(keyOf(tenantId, documentId))?.find(({ kind }) => kind === 'seal')
            const bytes = seal && bytesOf(world, tenantId, seal.sha256)
            return bytes === undefined || hashOf(bytes) !== sha256
          })
          return changed && `document ${changed.id} was sealed as ${changed.sha256} and is not that any more`
        }),
      )
    },
  },
  {
    name: 'signatures-in-the-file',
    says: 'A document holds exactly the signatures that are recorded: one of each signatory who has signed, and the seal.',
    check(world) {
      const { rows, signed } = world
      const revisions = revisionsOf(world)
      const people = Map.groupBy(rows.signatory, ({ request_id: id }) => id)
      return each(rows.signature_document, ({ tenant_id: tenantId, id, request_id: requestId, sha256 }) => {
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
    says: 'As many uses of a key are recorded as there are signatures, each of a person after that person’s confirmation.',
    check(world) {
      const { rows } = world
      const used = rows.signature_intent.filter(({ state }) => state === 'used')
      const confirmed = new Set(rows.signature_confirmation.map(({ signatory_id: id }) => id))
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
          ({ id, signatory_id: signatoryId }) =>
            !confirmed.has(signatoryId!) && !erased.has(signatoryId) && `intent ${id} has no confirmation`,
        ),
      )
    },
  },
  {
    name: 'no-signature-unrecorded',
    says: 'No file holds a signature of which there is no record from before the key was used, not even a file that nobody names.',
    check({ rows, signed, arrivedBefore }) {
      const sha256 = (certificate: Buffer) => createHash('sha256').update(certificate).digest('hex')
      const known = new Set([
        ...rows.signature_intent.map(({ certificate }) => sha256(certificate)),
        ...rows.certificate.flatMap((row) => (row.kind === 'seal' && row.certificate ? [sha256(row.certificate)] : [])),
      ])
      const before = [...signed].filter(([file]) => arrivedBefore.files.has(file))
      return each(before, ([file, { signatures }]) => {
        const unknown = signatures.find(({ certificates }) => !known.has(certificates[0]?.sha256 ?? ''))
        return unknown && `the file ${file} holds a signature of ${unknown.subject} that nobody recorded`
      })
    },
  },
]
