import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readConfig } from './config.ts'
import { ConfigurationError } from './environment.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-config-'))

describe('configuration', () => {
  after(() => rmSync(folder, { recursive: true }))

  test('needs nothing', () => {
    const config = readConfig({})
    assert.equal(config.port, 8080)
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.limits.documentBytes, 25 * 1024 * 1024)
    assert.ok(Object.isFrozen(config))
  })

  test('takes a secret from a file', () => {
    const file = join(folder, 'secret')
    writeFileSync(file, 'a secret key of more than thirty-two characters\n', { mode: 0o600 })
    assert.equal(
      readConfig({ COUNTERSIGN_SECRET_KEY_FILE: file }).secretKey,
      'a secret key of more than thirty-two characters',
    )
    chmodSync(file, 0o644)
    assert.throws(() => readConfig({ COUNTERSIGN_SECRET_KEY_FILE: file }), /can be read by everybody/)
  })

  test('names every mistake at once', () => {
    assert.throws(
      () =>
        readConfig({
          COUNTERSIGN_PORT: '-1',
          COUNTERSIGN_ACTIVE_CONTENT: 'maybe',
          COUNTERSIGN_RATE_LIMIT: '0',
          COUNTERSIGN_HOOKS_ALLOW: '10.0.0.0/8, 10.0.0.0/33, fd00::/8, example.com',
          COUNTERSIGN_HOOKS_CA_FILE: join(folder, 'nothing.pem'),
        }),
      (error) => error instanceof ConfigurationError && error.problems.length === 6,
    )
  })

  test('is explained in .env.example, variable by variable, and nothing is explained that does not exist', () => {
    const asked = new Set<string>()
    const environment = new Proxy({}, { get: (_, name) => void asked.add(String(name)) })
    readConfig(environment)
    const isSecretsFile = (name: string) => name.endsWith('_FILE') && asked.has(name.replace(/_FILE$/, ''))
    const names = [...asked].filter((name) => !isSecretsFile(name)).sort()
    const explained = [...readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z_]+)=/gm)]
      .map((match) => match[1])
      .sort()
    assert.deepEqual(explained, names)
  })
})
