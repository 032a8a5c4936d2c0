// Every statement about users that changes or lists them.
import { boolean, count, integer, nullable, oneOf, text, texts, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

const person = {
  id: uuid,
  role: text,
  firstName: nullable(text),
  lastName: nullable(text),
  email: nullable(text),
  phone: nullable(text),
  externalReference: nullable(text),
  language: nullable(text),
  timezone: nullable(text),
  departmentId: uuid,
  isActive: boolean,
  hasPassword: boolean,
  hasSecondFactor: boolean,
}

const PERSON = `u.id, u.role, u.first_name as "firstName", u.last_name as "lastName", u.email, u.phone,
  u.external_reference as "externalReference", u.language, u.timezone, u.department_id as "departmentId",
  u.deactivated_at is null as "isActive", u.password_hash is not null as "hasPassword",
  exists (select from authenticator_app a
           where a.tenant_id = :tenantId and a.user_id = u.id and a.confirmed_at is not null)
  or exists (select from passkey k where k.tenant_id = :tenantId and k.user_id = u.id) as "hasSecondFactor"`

export const insertUser = statement({
  name: 'insertUser',
  params: {
    tenantId: uuid,
    id: uuid,
    departmentId: uuid,
    kind: oneOf(['person', 'service']),
    role: text,
    firstName: nullable(text),
    lastName: nullable(text),
    email: nullable(text),
    emailKey: nullable(text),
    phone: nullable(text),
    externalReference: nullable(text),
    language: nullable(text),
    timezone: nullable(text),
    passwordHash: nullable(text),
    now: time,
  },
  sql: `insert into app_user (tenant_id, id, department_id, kind, role, first_name, last_name, email, email_key, phone,
                              external_reference, language, timezone, password_hash, tokens_valid_after, created_at, modified_at)
        values (:tenantId, :id, :departmentId, :kind, :role, :firstName, :lastName, :email, :emailKey, :phone,
                :externalReference, :language, :timezone, :passwordHash, '-infinity', :now, :now)`,
})

export const findPerson = statement({
  name: 'findPerson',
  params: { tenantId: uuid, userId: uuid },
  row: person,
  sql: `select ${PERSON}
          from app_user u
         where u.tenant_id = :tenantId and u.id = :userId and u.kind = 'person' and u.deleted_at is null`,
})

export const lockPerson = statement({
  name: 'lockPerson',
  params: { tenantId: uuid, userId: uuid },
  row: person,
  sql: `select ${PERSON}
          from app_user u
         where u.tenant_id = :tenantId and u.id = :userId and u.kind = 'person' and u.deleted_at is null
           for no key update`,
})

const listed = { tenantId: uuid, departmentIds: nullable(uuids), emailKey: nullable(text) }

const LISTED = `u.tenant_id = :tenantId and u.kind = 'person' and u.deleted_at is null
           and (:departmentIds::uuid[] is null or u.department_id = any(:departmentIds::uuid[]))
           and (:emailKey::text is null or u.email_key = :emailKey)`

export const listPeople = statement({
  name: 'listPeople',
  params: { ...listed, skip: integer, take: integer },
  row: person,
  sql: `select ${PERSON}
          from app_user u
         where ${LISTED}
         order by u.created_at desc, u.id desc
         limit :take::int offset :skip::int`,
})

export const countPeople = statement({
  name: 'countPeople',
  params: listed,
  row: { total: count },
  sql: `select count(*) as total from app_user u where ${LISTED}`,
})

/** The words of a text as people are stored under them. */
export const readWords = statement({
  name: 'readUserWords',
  isGlobal: true,
  params: { text },
  row: { word: text },
  sql: `select f.word from (select words_of(:text) as word) as f order by length(f.word) desc, f.word limit 20`,
})

const found = { tenantId: uuid, departmentIds: nullable(uuids), terms: texts }

// The longest term is looked up first, and only whom it finds is held against the others.
const FOUND = `u.tenant_id = :tenantId and u.kind = 'person' and u.deleted_at is null
           and (:departmentIds::uuid[] is null or u.department_id = any(:departmentIds::uuid[]))
           and u.id in (select w.user_id from app_user_word w
                         where w.tenant_id = :tenantId and w.word >= (:terms::text[])[1]
                           and w.word < (:terms::text[])[1] || U&'\\+10FFFF'
                         limit 10000)
           and not exists (select from unnest(:terms::text[]) as term
                            where not exists (select from app_user_word w
                                               where w.tenant_id = :tenantId and w.user_id = u.id
                                                 and w.word >= term and w.word < term || U&'\\+10FFFF'))`

/** The people whose names or addresses have a word that begins with each term, newest first. */
export const searchPeople = statement({
  name: 'searchPeople',
  params: { ...found, skip: integer, take: integer },
  row: person,
  sql: `select ${PERSON}
          from app_user u
         where ${FOUND}
         order by u.created_at desc, u.id desc
         limit :take::int offset :skip::int`,
})

/** How many the same search finds; from `most` on it stops counting. */
export const countFoundPeople = statement({
  name: 'countFoundPeople',
  params: { ...found, most: integer },
  row: { total: count },
  sql: `select count(*) as total from (select from app_user u where ${FOUND} limit :most::int) as found`,
})

/** Null leaves a field as it is; an empty text empties it. */
export const updatePerson = statement({
  name: 'updatePerson',
  params: {
    tenantId: uuid,
    userId: uuid,
    departmentId: nullable(uuid),
    role: nullable(text),
    firstName: nullable(text),
    lastName: nullable(text),
    email: nullable(text),
    emailKey: nullable(text),
    phone: nullable(text),
    externalReference: nullable(text),
    language: nullable(text),
    timezone: nullable(text),
    isActive: nullable(boolean),
    now: time,
  },
  sql: `update app_user
           set department_id = coalesce(:departmentId, department_id),
               role = coalesce(:role, role),
               first_name = nullif(coalesce(:firstName, first_name), ''),
               last_name = nullif(coalesce(:lastName, last_name), ''),
               email = coalesce(:email, email),
               email_key = coalesce(:emailKey, email_key),
               phone = coalesce(:phone, phone),
               external_reference = nullif(coalesce(:externalReference, external_reference), ''),
               language = coalesce(:language, language),
               timezone = nullif(coalesce(:timezone, timezone), ''),
               deactivated_at = case when :isActive::boolean then null
                                     when not :isActive::boolean then coalesce(deactivated_at, :now)
                                     else deactivated_at end,
               modified_at = :now
         where tenant_id = :tenantId and id = :userId`,
})

export const hasPeople = statement({
  name: 'hasPeople',
  params: { tenantId: uuid, departmentIds: uuids },
  row: { isThere: boolean },
  sql: `select exists (select from app_user
                        where tenant_id = :tenantId and department_id = any(:departmentIds)
                          and kind = 'person' and deleted_at is null) as "isThere"`,
})

/** The roles of the other active people of a department. */
export const listOtherRoles = statement({
  name: 'listOtherRoles',
  params: { tenantId: uuid, departmentId: uuid, userId: uuid },
  row: { role: text },
  sql: `select distinct role
          from app_user
         where tenant_id = :tenantId and department_id = :departmentId and id <> :userId
           and kind = 'person' and deactivated_at is null and deleted_at is null`,
})

/** Their e-mail addresses are free again; their names stay with what they did. */
export const deleteUsersOfDepartments = statement({
  name: 'deleteUsersOfDepartments',
  params: { tenantId: uuid, departmentIds: uuids, now: time },
  row: { id: uuid },
  sql: `update app_user
           set deactivated_at = coalesce(deactivated_at, :now), deleted_at = :now, modified_at = :now
         where tenant_id = :tenantId and department_id = any(:departmentIds) and deleted_at is null
        returning id`,
})

export const deactivateUser = statement({
  name: 'deactivateUser',
  params: { tenantId: uuid, userId: uuid, now: time },
  sql: `update app_user set deactivated_at = coalesce(deactivated_at, :now), modified_at = :now
         where tenant_id = :tenantId and id = :userId`,
})
