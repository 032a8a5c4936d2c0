// Every method of the client reaches its operation, on the running service, with what its type asks for.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connect, CountersignError } from '#client'
import { newId } from '#platform/ids.ts'
import { operationFacts, type OperationFacts } from '../../tools/client/operation-facts.ts'
import { currentApi } from '../../tools/reference/openapi-file.ts'
import { OPERATIONS, type Row } from '../contract/operations.ts'
import { makePlace, makeToken, type Things } from '../contract/world.ts'
import { startService, type TestService, type TestTenant } from '../service.ts'
import { makePdf } from '../small-pdf.ts'

type Method = (input: object, options?: { onResponse?: (response: Response) => void }) => Promise<unknown>

const NO_SUCH_ADDRESS = 2001

describe('the methods of the client', () => {
  let service: TestService
  let acme: TestTenant
  let things: Things
  let methods: Record<string, Method>

  before(async () => {
    service = await startService()
    acme = await service.createTenant()
    things = (await makePlace(service, acme, 'Sales')).things
    const headers = await makeToken(service, acme, { departmentId: acme.rootDepartmentId, role: 'admin' })
    methods = connect({ url: service.url, key: acme.key, headers }) as unknown as Record<string, Method>
  })
  after(() => service.stop())

  for (const operation of operationFacts(currentApi()).toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const row = rowOf(operation)
    test(`${operation.name} ${row ? 'does what it is for' : 'finds its operation'}`, async () => {
      const method = methods[operation.name]!
      if (row === undefined) return findsItsOperation(method, operation)
      const body = row.raw ? { content: new Uint8Array(row.raw) } : await row.body?.(things, acme)
      let status = 0
      const answer = await method(
        { ...row.ids?.(things), ...(body as object) },
        { onResponse: (response) => (status = response.status) },
      )
      assert.equal(status, row.success)
      const hasBody = operation.answersBytes || operation.answers.length > 0
      assert.equal(answer !== undefined, hasBody && status !== 204, String(answer))
    })
  }
})

/** All use the same things: first those that look or need a Draft, then those that change, last those that end something. */
function rankOf({ name, method }: OperationFacts): number {
  if (method === 'GET' || name === 'changeDraft') return 0
  const last = ['cancelSignatureRequest', 'deleteDepartment', 'logOut'].indexOf(name)
  return last >= 0 ? 3 + last : method === 'DELETE' ? 2 : 1
}

function rowOf({ method, path }: OperationFacts): Row | undefined {
  return OPERATIONS[`${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`]
}

/** What only a signatory's browser or a validator asks: the service refuses it, but knows the address. */
async function findsItsOperation(method: Method, { pathFields, sendsBytes }: OperationFacts): Promise<void> {
  const ids = Object.fromEntries(pathFields.map(({ name }) => [name, newId()]))
  try {
    await method({ ...ids, ...(sendsBytes && { content: new Uint8Array(makePdf()) }) })
  } catch (error) {
    assert.ok(error instanceof CountersignError)
    assert.notEqual(error.code, NO_SUCH_ADDRESS)
  }
}
