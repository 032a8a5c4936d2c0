import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { asWorker, logEverything, writeHistory } from '../../features/history/testing/log.ts'
import { SECRET_KEY, startService, type TestService } from '../../../test/service.ts'

describe('countersign history audit', () => {
  let service: TestService
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-audit-'))
    service = await startService()
    await writeHistory(service, await service.createTenant('Acme'), 5)
    await logEverything(asWorker(service))
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  function audit(args: string[] = [], environment: Record<string, string> = {}) {
    const { host, port, user, password, database } = service.database.connection
    const address = `postgres://${user}:${encodeURIComponent(String(password))}@/${database}?host=${host}&port=${port}`
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: address,
      COUNTERSIGN_SECRET_KEY: SECRET_KEY,
      COUNTERSIGN_DATA: folder,
      ...environment,
    }
    return new Promise<{ code: number; said: string }>((resolve) => {
      execFile(
        process.execPath,
        ['bin/countersign.js', 'history', 'audit', ...args],
        { env },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
      )
    })
  }

  test('finds the whole installation intact, and holds it against a checkpoint that was kept', async () => {
    const { code, said } = await audit()
    assert.equal(code, 0, said)
    assert.match(
      said,
      /^Intact: 5 events are what was logged, and 0 timestamped checkpoints agree\.\n.*see --checkpoint/,
    )
    const file = join(folder, 'checkpoint.txt')
    writeFileSync(file, (await service.call('GET', '/log/checkpoint')).text)
    assert.doesNotMatch((await audit(['--checkpoint', file])).said, /see --checkpoint/)
  })

  test('says what is not, and ends with 1', async () => {
    await service.database.asOwner(`update event set type = 'x' where sequence = 2`)
    const { code, said } = await audit()
    assert.equal(code, 1)
    assert.match(said, /^Not intact: Place 1: event \S+ has been changed\.\n$/)
  })

  test('says what it could not find', async () => {
    const { code, said } = await audit(['--checkpoint', join(folder, 'none')])
    assert.equal(code, 1)
    assert.match(said, /^countersign: ENOENT/)
    assert.equal((await audit(['--unknown'])).code, 2)
    assert.match((await audit([], { DATABASE_URL: '' })).said, /there is no installation in/)
  })
})
