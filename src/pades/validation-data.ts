// The document security store (EN 319 142-1, 5.4.2): what a validator will need when nobody can be asked any more.
// It only grows: dropping anything would break the proofs of timestamps that cover it.
import { hash } from 'node:crypto'
import type { DictEdit } from './edit.ts'
import { noteExtension } from './extension.ts'
import { decodeStructureStream } from './filters.ts'
import { openPdf, type PdfReader } from './reader.ts'
import { PdfRefused } from './refused.ts'
import type { Source } from './source.ts'
import { Update } from './update.ts'
import { entry, type PdfDict } from './value.ts'
import { reference } from './write.ts'

/** All in DER. Whoever hands it in has checked that the responses are good, and younger than what they protect. */
export interface ValidationData {
  readonly certificates: readonly Buffer[]
  readonly ocsps: readonly Buffer[]
  readonly crls: readonly Buffer[]
}

const MAX_ITEMS = 1000
const MAX_ITEM_BYTES = 4 * 1024 * 1024
const MAX_KNOWN_ITEMS = 10_000

/** The bytes that lift the document's signatures from B-T to B-LT. */
export async function addValidationData(source: Source, data: ValidationData): Promise<Buffer> {
  const update = new Update(await openPdf(source))
  await storeValidationData(update, data)
  return update.build().bytes
}

/** Adds to the store what it does not hold yet. */
export async function storeValidationData(update: Update, data: ValidationData): Promise<void> {
  requireWithinLimits(data)
  const catalog = await update.editDict(update.reader.rootRef)
  const known = await update.reader.findDict(await update.reader.catalog(), 'DSS')
  const store = known === undefined ? newStore(update, catalog) : await update.childDict(catalog, 'DSS')
  await addMissing(update, { store, known, key: 'Certs', items: data.certificates })
  await addMissing(update, { store, known, key: 'OCSPs', items: data.ocsps })
  await addMissing(update, { store, known, key: 'CRLs', items: data.crls })
  await noteExtension(update)
}

function requireWithinLimits({ certificates, ocsps, crls }: ValidationData): void {
  const items = [...certificates, ...ocsps, ...crls]
  if (items.length > MAX_ITEMS || items.some((item) => item.length > MAX_ITEM_BYTES)) {
    throw new PdfRefused('too-large', 'There is too much validation data for one document.')
  }
}

function newStore(update: Update, catalog: DictEdit): DictEdit {
  const id = update.allocate()
  catalog.set('DSS', reference(id))
  const store = update.newDict(id)
  store.set('Type', '/DSS')
  return store
}

interface Addition {
  readonly store: DictEdit
  readonly known: PdfDict | undefined
  readonly key: 'Certs' | 'OCSPs' | 'CRLs'
  readonly items: readonly Buffer[]
}

async function addMissing(update: Update, { store, known, key, items }: Addition): Promise<void> {
  if (items.length === 0) return
  const present = known === undefined ? new Set<string>() : await fingerprints(update.reader, known, key)
  for (const item of items) {
    const fingerprint = fingerprintOf(item)
    if (present.has(fingerprint)) continue
    present.add(fingerprint)
    const list = await update.childArray(store, key)
    list.add(reference(update.addStream('', item)))
  }
}

const fingerprintOf = (bytes: Buffer) => hash('sha256', bytes, 'base64')

async function fingerprints(reader: PdfReader, store: PdfDict, key: string): Promise<Set<string>> {
  const found = new Set<string>()
  const list = await reader.findArray(store, key)
  for (const item of (list?.items ?? []).slice(0, MAX_KNOWN_ITEMS)) {
    const stream = await reader.resolve(item)
    // What another program packed in its own way is kept and counts as unknown.
    if (stream?.kind !== 'stream' || !isReadable(stream.dict)) continue
    found.add(fingerprintOf(decodeStructureStream(stream.dict, await reader.streamBytes(stream), reader.budget)))
  }
  return found
}

function isReadable(dict: PdfDict): boolean {
  const filter = entry(dict, 'Filter')
  return filter === undefined || (filter.kind === 'name' && filter.value === 'FlateDecode')
}
