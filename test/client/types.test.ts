// What the compiler says of calls, right and wrong: `npm run types` is what tests this file. Nothing here is called.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Countersign, Item, SignatureRequest } from '#client'

type Same<A, B> = [A, B] extends [B, A] ? true : false
const holds = <T extends true>(): T[] => []

export async function compiles(countersign: Countersign): Promise<unknown> {
  const { id } = await countersign.createSignatureRequest({
    subject: 'Lease',
    signatories: [{ email: 'a@example.com' }],
  })
  const read = await countersign.readSignatureRequest({ id })
  holds<Same<typeof read, SignatureRequest>>()
  const canceled = await countersign.cancelSignatureRequest({ id, reason: 'Not needed' })
  holds<Same<typeof canceled, SignatureRequest | undefined>>()
  const download = await countersign.downloadStoredDocument({ uri: read.documents[0]!.documentURI })
  holds<Same<typeof download, Response | undefined>>()
  holds<Same<Item<'listSignatureRequests'>, SignatureRequest>>()
  for await (const { subject } of countersign.all('listSignatureRequests', { status: 'Open' }))
    holds<Same<typeof subject, string>>()

  // @ts-expect-error a status that no request has
  await countersign.listSignatureRequests({ status: 'Opened' })
  // @ts-expect-error an id is needed
  await countersign.readSignatureRequest({})
  // @ts-expect-error a field that a signatory does not have
  await countersign.createSignatureRequest({ subject: 'Lease', signatories: [{ mail: 'a@example.com' }] })
  // @ts-expect-error a method that is not there
  await countersign.signEverything()
  // @ts-expect-error not a listing
  countersign.all('readSignatureRequest', { id })
  // @ts-expect-error a field may be null
  return read.externalReference.length
}

test('the types of the client are those of the service (npm run types)', () => {
  assert.equal(typeof compiles, 'function')
})
