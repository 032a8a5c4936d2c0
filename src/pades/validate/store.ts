// The document security store (EN 319 142-1, 5.4.2) as the validator reads it: what it holds, and since which revision,
// because a later document timestamp proves that it existed.
import type { Certificate } from '#pki/certificate.ts'
import { parseCertificate } from '#pki/certificate.ts'
import { parseCrl, type Crl } from '#pki/crl.ts'
import { PkiError } from '#pki/errors.ts'
import { parseOcspResponse, type OcspResponse } from '#pki/ocsp.ts'
import { decodeStructureStream } from '../filters.ts'
import type { PdfReader } from '../reader.ts'
import { damaged, tooComplex } from '../refused.ts'
import type { PdfDict, PdfValue } from '../value.ts'
import { MAX_STORE_BYTES, MAX_STORE_ITEMS } from './bounds.ts'
import type { RevisionView } from './inventory.ts'
import type { Memory, Remembered } from './memory.ts'

export interface Store {
  readonly certificates: Certificate[]
  readonly ocspResponses: OcspResponse[]
  readonly crls: Crl[]
  /** The revision since which each item has been there, by its bytes. */
  readonly since: Map<Buffer, number>
  /** Items that could not be read. */
  unreadable: number
}

/** What the newest revision's store holds; an empty one where there is none. */
export async function readStore(views: readonly RevisionView[], memory?: Memory): Promise<Store> {
  const store: Store = { certificates: [], ocspResponses: [], crls: [], since: new Map(), unreadable: 0 }
  const { reader } = views.at(-1) as RevisionView
  const dict = await reader.findDict(await reader.catalog(), 'DSS')
  if (dict === undefined) return store
  const budget = { bytes: MAX_STORE_BYTES, items: MAX_STORE_ITEMS }
  const items = (key: string) => readItems({ views, reader, dict, key, budget })
  take(store, await items('Certs'), store.certificates, { parse: parseCertificate, known: memory?.certificates })
  take(store, await items('OCSPs'), store.ocspResponses, { parse: parseOcspResponse, known: memory?.ocspResponses })
  take(store, await items('CRLs'), store.crls, { parse: parseCrl, known: memory?.crls })
  return store
}

interface Item {
  readonly bytes: Buffer
  readonly revision: number
}

interface Reading {
  readonly views: readonly RevisionView[]
  readonly reader: PdfReader
  readonly dict: PdfDict
  readonly key: string
  readonly budget: { bytes: number; items: number }
}

async function readItems({ views, reader, dict, key, budget }: Reading): Promise<Item[]> {
  const list = await reader.get(dict, key)
  if (list === undefined) return []
  if (list.kind !== 'array') throw damaged('its store of validation data is malformed')
  const items: Item[] = []
  for (const item of list.items) {
    const bytes = await readItem(reader, item)
    budget.bytes -= bytes.length
    if (--budget.items < 0 || budget.bytes < 0) throw tooComplex('its store of validation data is too large')
    items.push({ bytes, revision: revisionOf(views, item) })
  }
  return items
}

async function readItem(reader: PdfReader, item: PdfValue): Promise<Buffer> {
  const stream = await reader.resolve(item)
  if (stream?.kind !== 'stream') throw damaged('its store of validation data is malformed')
  return decodeStructureStream(stream.dict, await reader.streamBytes(stream), reader.budget)
}

/** The last revision that wrote the object. */
function revisionOf(views: readonly RevisionView[], item: PdfValue): number {
  return item.kind === 'ref' ? views.findLastIndex(({ entries }) => entries.has(item.number)) : views.length - 1
}

type Reader<T> = { parse: (der: Buffer) => T; known: Remembered<T> | undefined }

function take<T extends { raw: Buffer }>(
  store: Store,
  items: readonly Item[],
  into: T[],
  { parse, known }: Reader<T>,
): void {
  for (const { bytes, revision } of items) {
    try {
      const before = known?.read(bytes)
      // Each item of a store has a revision of its own, even where two have the same bytes.
      const parsed = before === undefined || store.since.has(before.raw) ? parse(bytes) : before
      into.push(parsed)
      store.since.set(parsed.raw, revision)
    } catch (error) {
      if (!(error instanceof PkiError)) throw error
      store.unreadable++
    }
  }
}
