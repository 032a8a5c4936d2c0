import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { readOrMakeSecretKey, SECRET_KEY_FILE } from './secret-key.ts'

describe('the secret key in the data directory', () => {
  let dataDir: string

  beforeEach(() => {
    dataDir = mkdtempSync('/tmp/countersign-secret-key-')
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  test('is made once, for its owner alone', () => {
    const key = readOrMakeSecretKey(dataDir)
    assert.equal(Buffer.from(key, 'base64').length, 32)
    assert.equal(statSync(join(dataDir, SECRET_KEY_FILE)).mode & 0o777, 0o600)
    assert.equal(readOrMakeSecretKey(dataDir), key)
    assert.deepEqual(readdirSync(dataDir), [SECRET_KEY_FILE])
  })

  test('is made anew where a kill came in the middle of its making', () => {
    writeFileSync(join(dataDir, `${SECRET_KEY_FILE}.new`), 'ha')
    assert.equal(Buffer.from(readOrMakeSecretKey(dataDir), 'base64').length, 32)
    assert.deepEqual(readdirSync(dataDir), [SECRET_KEY_FILE])
  })

  test('is never replaced: one that is damaged is refused, and stays for whoever can repair it', () => {
    writeFileSync(join(dataDir, SECRET_KEY_FILE), 'short')
    assert.throws(() => readOrMakeSecretKey(dataDir), /secret\.key is damaged: restore it/)
    assert.equal(statSync(join(dataDir, SECRET_KEY_FILE)).size, 5)
  })
})
