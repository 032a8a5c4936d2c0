// Documents: the bytes that are stored, held against what was given, told and handed out.
import { createHash } from 'node:crypto'
import type { World } from '../world.ts'
import { byId, each, keyOf, together, type Invariant } from './invariant.ts'
import { revisionsOf } from './revisions.ts'

function bytesOf({ files }: World, tenantId: string, sha256: Buffer | undefined): Buffer | undefined {
  return sha256 && files.get(keyOf(tenantId, sha256.toString('hex')))?.bytes
}

const beginsWith = (bytes: Buffer, start: Buffer) => bytes.subarray(0, start.length).equals(start)
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Of the event that says that a request's documents are sealed. */
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
      const signing = each(
        world.rows.signature_document,
        ({ tenant_id: tenantId, id, source_document_id: sourceId }) => {
          const source = stored.get(keyOf(tenantId, sourceId))
          const all = [
            ...(source ? [source.sha256] : []),
            ...(revisions.get(keyOf(tenantId, id)) ?? []).map((r) => r.sha256),
          ]
          const bytes = all.map((sha256) => bytesOf(world, tenantId, sha256) ?? Buffer.alloc(0))
          const broken = bytes.findIndex((next, index) => index > 0 && !beginsWith(next, bytes[index - 1]!))
          return broken > 0 && `revision ${broken} of document ${id} does not begin with the one before`
        },
      )
      const sealing = each(world.rows.sealing_document, (row) => {
        const { tenant_id: tenantId, id, source_document_id: sourceId, sealed_document_id: sealedId } = row
        const [source, sealed] = [sourceId, sealedId ?? sourceId].map((documentId) =>
          bytesOf(world, tenantId, stored.get(keyOf(tenantId, documentId))?.sha256),
        )
        return (
          source && sealed && !beginsWith(sealed, source) && `sealed document ${id} does not begin with what was given`
        )
      })
      return together(signing, sealing)
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
      const sealedAs = new Map(
        rows.sealing_document.map(({ id, sealed_document_id: sealedId }) => [id, sealedId ?? '']),
      )
      const completed = rows.event.filter(
        ({ type }) => type === 'signaturerequestcompleted' || type === 'sealingrequestprocessed',
      )
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
            const seal =
              revisions.get(keyOf(tenantId, documentId))?.find(({ kind }) => kind === 'seal') ??
              stored.get(keyOf(tenantId, sealedAs.get(documentId) ?? ''))
            const bytes = bytesOf(world, tenantId, seal?.sha256)
            return bytes === undefined || hashOf(bytes) !== sha256
          })
          return changed && `document ${changed.id} was sealed as ${changed.sha256} and is not that any more`
        }),
      )
    },
  },
]
