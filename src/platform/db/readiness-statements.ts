import { integer, nullable, text } from './columns.ts'
import { statement } from './statement.ts'

export const readSchemaVersion = statement({
  name: 'readSchemaVersion',
  isGlobal: true,
  params: {},
  row: { version: nullable(integer) },
  sql: `select max(version) as version from schema_version`,
})

/** Whose rights the statements of a session have. */
export const readRole = statement({
  name: 'readRole',
  isGlobal: true,
  params: {},
  row: { role: text },
  sql: `select current_user::text as role`,
})
