// The text of SQL is written before anybody asks: values of a call travel beside it, as parameters. Statements are made
// when their file is loaded, where no value of a call is in sight; whatever else speaks SQL stands on a list here.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

/** They put text together from the database's own catalogue, from migrations, or from a channel's quoted name. */
const BUILDERS = [
  'src/main/backup/dump-database.ts',
  'src/main/backup/load-database.ts',
  'src/main/backup/verify-installation.ts', // Two texts of its own, asked for each tenant.
  'src/main/commands/distribute.ts',
  'src/platform/db/catalogue.ts',
  'src/platform/db/listen.ts',
  'src/platform/db/migrate.ts',
  'src/platform/db/spread-machines.ts', // A table of its own questions, as in catalogue.ts.
]

/** They carry the text of statements to the server. */
const CARRIERS = ['src/platform/db/database.ts', 'src/platform/db/statement-sender.ts', 'src/platform/db/statement.ts']

const CONSTANT = /^[A-Z][A-Z0-9_]*$/
const STATEMENT = /^(?:export )?const \w+ = statement\($/

/** Where text of SQL might hold a value of a call. */
function findFaults(file: string, text: string): string[] {
  return [...findLateStatements(text), ...findFilledIn(text), ...findQueries(file, text)]
}

function findLateStatements(text: string): string[] {
  return [...text.matchAll(/^.*\bstatement\(/gm)]
    .filter(([line]) => !STATEMENT.test(line) && !/^\s*(\/\/|\*)/.test(line))
    .map(([line]) => `a statement is not made at the top of its file: ${line.trim()}`)
}

/** A statement's text takes in constants of its file alone. */
function findFilledIn(text: string): string[] {
  if (!/\bstatement\(/.test(text)) return []
  const filled = [...text.matchAll(/\bsql: (`[^`]*`|'[^']*'|.*)/g)].flatMap(([, sql]) =>
    /^[`']/.test(sql!) ? [...sql!.matchAll(/\$\{([^}]*)\}/g)].map(([, name]) => name!) : [sql!],
  )
  return filled.filter((name) => !CONSTANT.test(name)).map((name) => `a statement takes in ${name}`)
}

/** A text that is written out, or a constant. */
function findQueries(file: string, text: string): string[] {
  if (BUILDERS.includes(file) || CARRIERS.includes(file)) return []
  return [...text.matchAll(/\.query\(\s*(`[^`]*`\s*\+?|'[^']*'\s*\+?|\w+)/g)]
    .map(([, asked]) => asked!)
    .filter((asked) => asked.endsWith('+') || asked.includes('${') || (/^\w/.test(asked) && !CONSTANT.test(asked)))
    .map((asked) => `a query is put together: ${asked}`)
}

const files = globSync('src/**/*.ts').filter((file) => !/\.test\.ts$|\/testing\//.test(file))

describe('the text of SQL', () => {
  test('holds no value of a call', () => {
    const speaking = files.filter((file) => /\bstatement\(|\.query\(/.test(readFileSync(file, 'utf8')))
    assert.ok(speaking.length > 60)
    for (const file of speaking) assert.deepEqual(findFaults(file, readFileSync(file, 'utf8')), [], file)
  })

  test('is sent past the statements only by what looks after the database itself', () => {
    for (const file of files.filter((name) => /\.query\(/.test(readFileSync(name, 'utf8'))))
      assert.match(file, /^src\/(platform\/db|main)\//)
  })

  test('would be noticed if it did', () => {
    for (const planted of [
      'const find = (name) => statement({ name, sql: `select 1` })',
      'const find = statement({\n  sql: `select id from request order by ${column}`,\n})',
      'const find = statement({\n  sql: makeSql(column),\n})',
      "await client.query(`select id from request where name = '${name}'`)",
      "await client.query('select id from request where name = ' + name)",
      'await client.query(sql, [])',
    ])
      assert.equal(findFaults('src/features/planted.ts', planted).length, 1, planted)
  })
})
