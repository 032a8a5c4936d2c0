import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { readConfig, type Config } from '#platform/config/config.ts'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { ensureFirstTenant, FIRST_START_FILE } from './first-start.ts'

const NOW = new Date('2026-03-01T12:00:00Z')

describe('the first start', () => {
  let database: TestDatabase
  let dataDir: string

  before(() => {
    dataDir = mkdtempSync('/tmp/countersign-first-start-')
  })
  beforeEach(async () => {
    database = await createDatabase()
  })
  afterEach(() => database.drop())
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  const configOf = (folder: string): Config => readConfig({ COUNTERSIGN_DATA: folder })
  const startIn = (folder: string) => ensureFirstTenant(database.connection, configOf(folder), NOW)
  const countTenants = async () => Number((await database.asOwner('select count(*) from tenant'))[0]!['count'])

  test('makes a tenant, and says what it made in a file that only its owner can read', async () => {
    const { made, file } = await startIn(dataDir)
    assert.equal(file, join(dataDir, FIRST_START_FILE))
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const words = readFileSync(file, 'utf8')
    for (const value of Object.values(made!)) assert.ok(words.includes(value))
    assert.deepEqual(await startIn(dataDir), { file, made: undefined })
    assert.equal(await countTenants(), 1)
  })

  test('makes nothing that it could not write down: nobody would know the password', async () => {
    await assert.rejects(startIn(join(dataDir, 'missing')), /missing\/first-start\.txt can't be written/)
    assert.equal(await countTenants(), 0)
    assert.ok((await startIn(dataDir)).made)
  })

  test('on one database by five at once makes one tenant between them', async () => {
    const starts = await Promise.all(Array.from({ length: 5 }, () => startIn(dataDir)))
    assert.equal(starts.filter(({ made }) => made).length, 1)
    assert.equal(await countTenants(), 1)
  })
})
