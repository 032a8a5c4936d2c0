import { route } from '#platform/http/route.ts'
import { changeDepartment } from './change-department.ts'
import { changeTenant } from './change-tenant.ts'
import { createDepartment } from './create-department.ts'
import { deleteDepartment } from './delete-department.ts'
import { listDepartments } from './list-departments.ts'
import { readDepartment } from './read-department.ts'
import { readTenant } from './read-tenant.ts'
import {
  ChangedDepartment,
  CreatedDepartment,
  Department,
  DepartmentChange,
  DepartmentDeletion,
  DepartmentDetails,
  DepartmentList,
  DepartmentPath,
  DepartmentQuery,
  NewDepartment,
  Tenant,
  TenantChange,
  TenantInFull,
} from './schemas.ts'

/** The interface's list of statuses for this sub-API has no 403. */
export const ONBOARDING = { tag: 'Onboarding', errorStatuses: { forbidden: 401 } } as const

export const departmentRoutes = [
  route({
    ...ONBOARDING,
    operation: 10,
    method: 'GET',
    url: '/onboarding/department',
    summary: 'List departments',
    permission: 'department:read',
    query: DepartmentQuery,
    response: { 200: DepartmentList },
    handle: ({ tx }, { caller, query }) => listDepartments(tx, { caller, query }),
  }),
  route({
    ...ONBOARDING,
    operation: 11,
    method: 'POST',
    url: '/onboarding/department',
    summary: 'Create a department, with its users',
    permission: 'department:write',
    body: NewDepartment,
    response: { 200: CreatedDepartment },
    handle: ({ tx, now, platform: { keyring } }, { caller, body }) =>
      createDepartment(tx, { caller, fields: body.department, keyring, now }),
  }),
  route({
    ...ONBOARDING,
    operation: 12,
    method: 'DELETE',
    url: '/onboarding/department/:id',
    summary: 'Delete a department',
    description:
      'With ForceDelete, everything below it and in it goes too; finished requests stay readable from above.',
    permission: 'department:write',
    params: DepartmentPath,
    body: DepartmentDeletion,
    isBodyOptional: true,
    response: { 200: Department },
    handle: ({ tx, now, platform: { authenticator } }, { caller, params, body }) =>
      deleteDepartment(tx, {
        caller,
        departmentId: params.id,
        isForced: body?.ForceDelete ?? false,
        authenticator,
        now,
      }),
  }),
  route({
    ...ONBOARDING,
    method: 'GET',
    url: '/onboarding/department/:id',
    summary: 'Read a department',
    description: 'With how much lies in it and below it, for whoever is about to delete it.',
    permission: 'department:read',
    params: DepartmentPath,
    response: { 200: DepartmentDetails },
    handle: ({ tx }, { caller, params }) => readDepartment(tx, { caller, departmentId: params.id }),
  }),
  route({
    ...ONBOARDING,
    method: 'PATCH',
    url: '/onboarding/department/:id',
    summary: 'Change a department',
    description: 'An empty text empties a field. Everything below a moved department moves with it.',
    permission: 'department:write',
    params: DepartmentPath,
    body: DepartmentChange,
    response: { 200: ChangedDepartment },
    handle: ({ tx, now, platform: { authenticator } }, { caller, params, body }) =>
      changeDepartment(tx, { caller, departmentId: params.id, fields: body, authenticator, now }),
  }),
  route({
    ...ONBOARDING,
    method: 'GET',
    url: '/onboarding/tenant',
    summary: 'Read the tenant',
    permission: 'department:read',
    response: { 200: TenantInFull },
    handle: ({ tx }, { caller }) => readTenant(tx, { caller }),
  }),
  route({
    ...ONBOARDING,
    method: 'PATCH',
    url: '/onboarding/tenant',
    summary: 'Change the tenant',
    permission: 'department:write',
    body: TenantChange,
    response: { 200: Tenant },
    handle: ({ tx, now }, { caller, body }) => changeTenant(tx, { caller, fields: body, now }),
  }),
]
