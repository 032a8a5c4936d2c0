// The release before this one works on while the database is migrated, and on the migrated one until it is replaced. So a
// migration adds; what nobody uses any more goes in a later release, by a file that says so in its first line.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readMigrations } from './migrate.ts'

/** Up to here the schema was made: no release is older. */
const FIRST_RELEASE = 36
const GOES_LATER = /^-- Goes since nothing uses it after release \d+\.\d+/

const BREAKING: readonly [rule: string, pattern: RegExp][] = [
  ['takes a table away', /\bdrop table\b/],
  ['takes a column away', /\bdrop column\b/],
  ['gives something another name', /\brename\b/],
  ['gives a column another type', /\balter column \w+ (set data )?type\b/],
  ['wants a value that the older release does not give', /\bset not null\b/],
  [
    'has a new column that the older release leaves empty',
    /\badd column (if not exists )?\w+ [^,;]*\bnot null\b(?![^,;]*\b(default|generated)\b)(?<!\bdefault\b[^,;]*not null)/,
  ],
  ['refuses what the older release writes', /\badd (constraint \w+ )?(check|unique|exclude)\b(?![^;]*\bnot valid\b)/],
  ['takes a right away', /\brevoke\b/],
]

/** Without comments, texts and bodies of functions, in lower case and with single spaces. */
function bare(sql: string): string {
  return sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$\$[^]*?\$\$/g, '$$$$')
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
}

function faultsOf(sql: string): string[] {
  if (GOES_LATER.test(sql)) return []
  const statements = bare(sql)
  const made = new Set([...statements.matchAll(/create table (\w+)/g)].map(([, name]) => name))
  // What is done to a table of the same file concerns nobody yet.
  const concerning = statements
    .split(';')
    .filter((one) => !made.has(/alter table (?:only )?(\w+)/.exec(one)?.[1] ?? ''))
    .join(';')
  return BREAKING.filter(([, pattern]) => pattern.test(concerning)).map(([rule]) => rule)
}

describe('migrations since the first release', () => {
  test('leave the release before them working', () => {
    const faults = readMigrations()
      .filter(({ version }) => version >= FIRST_RELEASE)
      .flatMap(({ name, sql }) => faultsOf(sql).map((fault) => `${name} ${fault}`))
    assert.deepEqual(faults, [])
  })

  test('would be noticed where they did not', () => {
    const breaking = [
      'drop table job',
      'alter table job drop column claims',
      'alter table job rename column claims to tries',
      'alter table job alter column claims type bigint',
      'alter table job alter column claims set not null',
      'alter table job add column claims integer not null',
      'alter table job add constraint few check (claims < 3)',
      'revoke select on job from countersign_request',
    ]
    for (const sql of breaking) assert.equal(faultsOf(`${sql};`).length, 1, sql)
  })

  test('may add, and may take away what was given up a release ago', () => {
    const fine = [
      'alter table job add column claims integer not null default 0',
      'alter table job add column claims integer default 0 not null',
      'alter table job add column claims integer',
      'create table made (id uuid); alter table made add unique (id)',
      '-- Goes since nothing uses it after release 0.3\nalter table job drop column claims',
      `comment on table job is 'never rename or drop column'`,
    ]
    for (const sql of fine) assert.deepEqual(faultsOf(`${sql};`), [], sql)
  })
})
