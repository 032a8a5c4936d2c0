import { integer, nullable } from './columns.ts'
import { statement } from './statement.ts'

export const readSchemaVersion = statement({
  name: 'readSchemaVersion',
  isGlobal: true,
  params: {},
  row: { version: nullable(integer) },
  sql: `select max(version) as version from schema_version`,
})
