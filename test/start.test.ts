import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeInstallation, type Installation } from './installation.ts'
import { processesOf, untilGone } from './processes.ts'

describe('npm start', () => {
  let installation: Installation

  before(async () => {
    installation = await makeInstallation()
  })
  after(() => installation.remove())

  /** One more, which is to end by itself. */
  const startAgain = (environment: Record<string, string> = {}) =>
    spawnSync(process.execPath, ['bin/start.js'], {
      env: { ...process.env, COUNTERSIGN_DATA: installation.dataDir, COUNTERSIGN_PORT: '0', ...environment },
      encoding: 'utf8',
    })

  test('on an empty data directory shows the login, the key and a curl line that works as pasted', async () => {
    const output = await installation.start()
    assert.match(output, /Login {13}admin@countersign\.local/)
    assert.match(output, /Password {10}\S{16}/)
    assert.match(output, new RegExp(`Console {11}http://127\\.0\\.0\\.1:${installation.port}/console`))
    assert.match(output, new RegExp(`API reference {5}http://127\\.0\\.0\\.1:${installation.port}/docs`))
    const curl = /^ *(curl .*)$/m.exec(output)![1]!
    const { stdout, status } = spawnSync('sh', ['-c', `${curl} -s`], { encoding: 'utf8' })
    if (status === 127) return // A machine without curl.
    assert.equal((JSON.parse(stdout) as { total: number }).total, 1)
  })

  test('writes down what it made where only its owner can read it', () => {
    const file = join(installation.dataDir, 'first-start.txt')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.match(readFileSync(file, 'utf8'), /subscription key {2}csk_/)
    assert.equal(statSync(join(installation.dataDir, 'secret.key')).mode & 0o777, 0o600)
  })

  test('is ready, and serves only this machine', async () => {
    assert.deepEqual((await installation.call('GET', '/readyz')).json, {
      status: 'ready',
      checks: { database: 'ok', storage: 'ok', 'secret key': 'ok' },
    })
    for (const path of ['/healthz', '/readyz']) {
      const { status } = await fetch(`http://127.0.0.1:${installation.port}${path}`, { method: 'HEAD' })
      assert.equal(status, 200, 'to a monitor that asks with HEAD')
    }
  })

  test('a second time beside the first says that this one runs, in one line, and harms nothing', async () => {
    const { status, stderr } = startAgain()
    assert.equal(status, 1, stderr)
    const pid = `(pid ${installation.pid()})`
    const line = `countersign: another Countersign is running on this data directory ${pid}: ${installation.dataDir}\n`
    assert.equal(stderr, line)
    assert.equal((await installation.call('GET', '/readyz')).status, 200)
  })

  test('starts the worker and the server again when they are killed', async () => {
    for (const name of ['work', 'serve']) {
      const victim = processesOf(installation.dataDir).find(({ command }) => command.includes(`${name}.ts`))!
      process.kill(victim.pid, 'SIGKILL')
      for (const end = performance.now() + 180_000; ; await sleep(50)) {
        const again = processesOf(installation.dataDir).find(
          ({ command, pid }) => command.includes(`${name}.ts`) && pid !== victim.pid,
        )
        const isReady = await installation.call('GET', '/readyz').then(
          (reply) => reply.status === 200,
          () => false,
        )
        if (again && isReady) break
        assert.ok(performance.now() < end, `${name} did not come back`)
      }
    }
  })

  test('stops in good order on SIGTERM, and leaves no process behind', async () => {
    assert.equal(await installation.end('SIGTERM'), 0)
    await untilGone(installation.dataDir)
  })

  test('the second time reuses everything and says where to find it', async () => {
    const output = await installation.start()
    assert.match(output, new RegExp(`Login and key {5}in ${installation.dataDir}/first-start.txt`))
    assert.doesNotMatch(output, /csk_/)
    assert.equal((await installation.call('GET', '/onboarding/department')).json.total, 1)
  })

  test('on what a kill -9 left behind starts as if nothing had happened, and neither server nor worker survives that kill', async () => {
    await installation.end('SIGKILL')
    const startedAt = performance.now()
    const output = await installation.start({}, { asJson: true })
    assert.ok(performance.now() - startedAt < 60_000)
    const url = `http://127.0.0.1:${installation.port}`
    assert.deepEqual(JSON.parse(output.split('\n').find((line) => line.includes('"reference"'))!), {
      url,
      console: `${url}/console`,
      reference: `${url}/docs`,
      dataDir: installation.dataDir,
      made: null,
    })
    assert.equal((await installation.call('GET', '/onboarding/department')).json.total, 1)
    await installation.end('SIGKILL')
    // The database outlives its parent on purpose: the next start stops it in good order.
    await untilGone(installation.dataDir, (command) => /(serve|work)\.ts/.test(command))
  })

  test('without the file that somebody deleted does not make another tenant', async () => {
    rmSync(join(installation.dataDir, 'first-start.txt'))
    assert.match(await installation.start(), /as made at the first start/)
    assert.equal(await installation.end('SIGTERM'), 0)
  })

  test('that fails when its database runs already says why, in one line, and leaves no process behind', async () => {
    writeFileSync(join(installation.dataDir, 'secret.key'), 'damaged')
    const { status, stderr } = startAgain()
    assert.equal(status, 1, stderr)
    assert.match(stderr, /^countersign: \S+\/secret\.key is damaged: [^\n]*\n$/)
    await untilGone(installation.dataDir)
  })

  const mistakes: [environment: Record<string, string>, line: RegExp][] = [
    [{ COUNTERSIGN_PORT: 'eighty' }, /^countersign: COUNTERSIGN_PORT must be a whole number from 0 to 65535$/m],
    [{ DATABASE_URL: 'postgres://nowhere/x' }, /COUNTERSIGN_SECRET_KEY is needed with DATABASE_URL/],
    [{ COUNTERSIGN_HOST: '0.0.0.0' }, /COUNTERSIGN_HOST is not this machine alone/],
    [{ COUNTERSIGN_PUBLIC_URL: 'http://sign.example.com' }, /COUNTERSIGN_PUBLIC_URL must use https/],
    [{ COUNTERSIGN_REQUIRE_BEARER: 'yes' }, /COUNTERSIGN_REQUIRE_BEARER must be true or false/],
    [{ COUNTERSIGN_SECRET_KEY: 'short' }, /COUNTERSIGN_SECRET_KEY must have at least 32 characters/],
    [
      { COUNTERSIGN_SECRET_KEY_FILE: '/no/such/file' },
      /COUNTERSIGN_SECRET_KEY_FILE \/no\/such\/file can't be read \(ENOENT\)/,
    ],
    [{ COUNTERSIGN_ADMIN_PASSWORD: 'short' }, /COUNTERSIGN_ADMIN_PASSWORD must have at least 12 characters/],
  ]
  for (const [environment, line] of mistakes) {
    test(`with ${Object.keys(environment)[0]} set wrongly is one clear line and exit 2`, () => {
      const { status, stderr } = startAgain(environment)
      assert.equal(status, 2)
      assert.match(stderr, line)
    })
  }
})
