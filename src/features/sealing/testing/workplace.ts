// What the tests of sealing start from: two tenants, two departments side by side, a key for each, documents to seal.
import { keepDocument } from '#features/storage/index.ts'
import { addDepartment, type TestDepartment } from '../../../../test/departments.ts'
import { startService, type Caller, type TestService, type TestTenant } from '../../../../test/service.ts'

export type Workplace = {
  service: TestService
  acme: TestTenant
  other: TestTenant
  sales: TestDepartment
  legal: TestDepartment
  /** Stores a document without its bytes: sealing requests never read them. */
  storeDocument(where?: { contentType?: string; departmentId?: string; tenant?: TestTenant }): Promise<string>
  /** A Draft with that many documents. */
  draft(call: Caller, documents?: number, fields?: object): Promise<string>
}

export async function startWorkplace(environment: Record<string, string> = {}): Promise<Workplace> {
  const service = await startService(environment)
  const acme = await service.createTenant('Acme')
  const other = await service.createTenant('Other')
  const storeDocument: Workplace['storeDocument'] = async (where = {}) => {
    const { contentType = 'application/pdf', tenant = acme, departmentId = tenant.rootDepartmentId } = where
    const { tenantId, serviceUserId: creatorId } = tenant
    const content = { sha256: '00'.repeat(32), sizeBytes: 1 }
    const now = service.clock.now()
    const purgeAt = new Date(now.getTime() + 1000)
    return service.platform.db.transaction(tenantId, (tx) =>
      keepDocument(tx, {
        tenantId,
        departmentId,
        creatorId,
        content,
        contentType,
        fileName: 'contract.pdf',
        now,
        purgeAt,
      }),
    )
  }
  return {
    service,
    acme,
    other,
    sales: await addDepartment(service, acme, 'Sales'),
    legal: await addDepartment(service, acme, 'Legal'),
    storeDocument,
    async draft(call, documents = 0, fields = {}) {
      const { json } = await call('POST', '/sealing/sealingrequest', fields)
      for (let index = 0; index < documents; index++) {
        const documentURI = await storeDocument({ departmentId: json.departmentId })
        await call('POST', `/sealing/sealingrequest/${json.id}/document`, { documentURI })
      }
      return json.id
    },
  }
}
