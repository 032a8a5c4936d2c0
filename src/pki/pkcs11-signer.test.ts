import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SignatureAlgorithm } from './algorithms.ts'
import { PkiError } from './errors.ts'
import { pkcs11Signer } from './pkcs11-signer.ts'
import { generateKey, signWith } from './raw-signer.ts'

const LIBRARY = ['/usr/lib/softhsm/libsofthsm2.so', '/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so'].find(existsSync)
const PIN = '1234'
const message = Buffer.from('what is signed')

function missing(): string | false {
  if (LIBRARY === undefined || spawnSync('softhsm2-util', ['--version']).status !== 0)
    return 'SoftHSM2 is not installed'
  try {
    createRequire(import.meta.url).resolve('pkcs11js')
    return false
  } catch {
    return 'pkcs11js is not installed'
  }
}

describe('a key in a PKCS#11 token', () => {
  const skip = missing()
  const folder = mkdtempSync(join(tmpdir(), 'countersign-token-'))
  const keys = new Map<string, string>()

  before(async () => {
    if (skip) return
    const configuration = join(folder, 'softhsm2.conf')
    writeFileSync(configuration, `directories.tokendir = ${folder}\nlog.level = ERROR\n`)
    process.env.SOFTHSM2_CONF = configuration
    softhsm('--init-token', '--free', '--label', 'test', '--pin', PIN, '--so-pin', PIN)
    for (const [index, algorithm] of (['ES256', 'PS256'] as const).entries()) {
      const { privateKey, publicKey } = await generateKey(algorithm)
      const file = join(folder, `${algorithm}.pem`)
      writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
      softhsm('--import', file, '--token', 'test', '--label', algorithm, '--id', `0${index + 1}`, '--pin', PIN)
      keys.set(algorithm, publicKey.export({ type: 'spki', format: 'pem' }).toString())
    }
  })
  after(() => {
    delete process.env.SOFTHSM2_CONF
    rmSync(folder, { recursive: true })
  })

  function softhsm(...args: string[]): void {
    const { status, stderr } = spawnSync('softhsm2-util', args, { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  }

  const open = (algorithm: SignatureAlgorithm, keyLabel: string, pin = PIN) =>
    pkcs11Signer({
      certificate: Buffer.alloc(0),
      chain: [],
      algorithm,
      location: { library: LIBRARY ?? '/no/such/module.so', tokenLabel: 'test', pin, keyLabel },
    })

  for (const [algorithm, keyLabel] of [
    ['ES256', 'ES256'],
    ['PS256', 'PS256'],
    ['RS256', 'PS256'],
  ] as const) {
    test(`signs with ${algorithm}`, { skip }, async () => {
      const signer = open(algorithm, keyLabel)
      try {
        const signature = await signWith(signer, message)
        const key = createPublicKey(keys.get(keyLabel)!)
        const isGood =
          algorithm === 'PS256'
            ? verify('sha256', message, { key, padding: 6, saltLength: 32 }, signature)
            : verify('sha256', message, key, signature)
        assert.ok(isGood)
      } finally {
        signer.close()
      }
    })
  }

  test('signs again after its process was killed', { skip }, async () => {
    const signer = open('ES256', 'ES256')
    try {
      await signWith(signer, message)
      spawnSync('pkill', ['-KILL', '-P', String(process.pid), '-f', 'pkcs11-process'])
      // The call that meets the dying process may fail, in words; the one after it starts a new process.
      const next = await signWith(signer, message).catch((error: unknown) => {
        assert.ok(error instanceof PkiError)
        return sleep(200).then(() => signWith(signer, message))
      })
      assert.ok(verify('sha256', message, keys.get('ES256')!, next))
    } finally {
      signer.close()
    }
  })

  test('says what is wrong: the PIN, the key, the token', { skip }, async () => {
    const attempts: [signer: ReturnType<typeof open>, words: RegExp][] = [
      [open('ES256', 'ES256', '9999'), /CKR_PIN_INCORRECT/],
      [open('ES256', 'no such key'), /holds no private key called no such key/],
    ]
    for (const [signer, words] of attempts) {
      await assert.rejects(
        signWith(signer, message),
        (error) => error instanceof PkiError && error.code === 'token-unavailable' && words.test(error.message),
      )
      signer.close()
    }
  })

  const openNowhere = () =>
    pkcs11Signer({
      certificate: Buffer.alloc(0),
      chain: [],
      algorithm: 'ES256',
      location: { library: '/no/such/module.so', tokenLabel: 'x', pin: 'x', keyLabel: 'x' },
    })

  test('that can’t be reached is a refusal in words, not a crash', async () => {
    const signer = openNowhere()
    await assert.rejects(
      signWith(signer, message),
      (error) => error instanceof PkiError && error.code === 'token-unavailable',
    )
    signer.close()
  })

  test('whose process could not be started gets another for the next signature', async (t) => {
    const { execPath } = process
    t.after(() => (process.execPath = execPath))
    const signer = openNowhere()
    process.execPath = '/no/such/program'
    await assert.rejects(signWith(signer, message), { code: 'token-unavailable', message: /\/no\/such\/program/ })
    process.execPath = execPath
    // What the process itself says: it was started.
    await assert.rejects(signWith(signer, message), { code: 'token-unavailable', message: /pkcs11js|module\.so/ })
    signer.close()
  })
})
