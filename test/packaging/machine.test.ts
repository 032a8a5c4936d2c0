// The unit for systemd and the two proxies: held against the product, and against the programs themselves where the
// machine has them.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readConfig } from '#platform/config/config.ts'
import { environmentNames } from './environment-names.ts'

const MOST_EXPOSED = 3
const missing = (command: string) =>
  spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0 && `${command} is not installed`

const folder = mkdtempSync(join(tmpdir(), 'countersign-packaging-'))
const unit = readFileSync('packaging/countersign.service', 'utf8')
const valuesOf = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)

describe('the unit for systemd', () => {
  after(() => rmSync(folder, { recursive: true, force: true }))

  test('starts a program that is there, with a command that it has', () => {
    const [home] = valuesOf('WorkingDirectory') as [string]
    const [node, program, command] = valuesOf('ExecStart')[0]!.split(' ')
    assert.ok(node!.startsWith(`${home}/node_modules/`))
    assert.ok(existsSync(node!.slice(home.length + 1)))
    assert.ok(existsSync(program!))
    assert.ok(existsSync(`src/main/${command}.ts`))
    for (const path of unit.matchAll(/\/opt\/countersign\/(docs\/\S+)/g)) assert.ok(existsSync(path[1]!), path[1])
  })

  test('sets what the service knows, and data where systemd makes the folder', () => {
    const known = environmentNames()
    const settings = valuesOf('(?:# )?Environment').flatMap((line) => line.split(' '))
    for (const name of settings.map((setting) => setting.split('=')[0]!))
      assert.ok(name === 'NODE_ENV' || known.has(name), name)
    assert.ok(settings.includes(`COUNTERSIGN_DATA=/var/lib/${valuesOf('StateDirectory')[0]}`))
  })

  test('gives the service the time that it takes to finish, and does not repeat a wrong setting', () => {
    assert.ok(Number(valuesOf('TimeoutStopSec')[0]) > 35)
    assert.deepEqual(valuesOf('RestartPreventExitStatus'), ['2'])
    assert.deepEqual(valuesOf('User'), ['countersign'])
  })

  test('systemd reads it without a word', { skip: missing('systemd-analyze') }, () => {
    const path = join(folder, 'countersign.service')
    // Program and documents lie elsewhere on this machine, and there is no such user.
    writeFileSync(path, unit.replaceAll('/opt/countersign', process.cwd()).replaceAll(/^(User|Group)=.*$/gm, ''))
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
    assert.equal(stdout + stderr, '')
    assert.equal(status, 0)
  })

  test('leaves little open', { skip: missing('systemd-analyze') }, (context) => {
    const output = execFileSync('systemd-analyze', [
      'security',
      '--offline=true',
      '--no-pager',
      'packaging/countersign.service',
    ])
    const [line, exposure] = /Overall exposure level.*?(\d+\.\d+)/.exec(output.toString())!
    context.diagnostic(line)
    assert.ok(Number(exposure) < MOST_EXPOSED)
  })
})

describe('the proxies', () => {
  const nginx = readFileSync('packaging/nginx.conf', 'utf8')
  const caddy = readFileSync('packaging/Caddyfile', 'utf8')
  const config = readConfig({})

  test('lead to where the service listens by itself', () => {
    assert.match(nginx, new RegExp(`server ${config.host}:${config.port};`))
    assert.match(caddy, new RegExp(`UPSTREAM=${config.host}:${config.port}`))
  })

  test('let through what the service would take, so that it refuses in its own words', () => {
    const mib = config.limits.bodyBytes / 1024 / 1024
    assert.ok(Number(/client_max_body_size (\d+)m;/.exec(nginx)![1]) > mib)
    assert.ok(Number(/max_size (\d+)MB/.exec(caddy)![1]) * 1000 * 1000 > mib * 1024 * 1024)
  })

  test('tell the service who calls, and never what callers claim about themselves', () => {
    for (const location of nginx
      .split('location ')
      .slice(1)
      .filter((part) => part.includes('proxy_pass'))) {
      for (const header of [
        'X-Forwarded-For $remote_addr',
        'X-Forwarded-Proto $scheme',
        'X-Forwarded-Host $host',
        'Host $host',
      ])
        assert.ok(location.includes(`proxy_set_header ${header};`), `${header} in ${location.split('\n')[0]}`)
    }
  })

  test('keep the metrics inside', () => {
    assert.match(nginx, /location = \/metrics {\s+return 404;/)
    assert.match(caddy, /respond @metrics 404/)
  })

  test('what they tell the operator to set are settings', () => {
    const known = environmentNames()
    for (const [name] of `${nginx}${caddy}`.matchAll(/COUNTERSIGN_[A-Z_]+/g)) assert.ok(known.has(name), name)
  })

  test('nginx accepts its file', { skip: missing('nginx') }, () => {
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'nginx.conf')
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=sign.example.com']
    execFileSync('openssl', [...request, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
    const placed = nginx.replace(/ssl_certificate [^;]+/, `ssl_certificate ${certificate}`)
    const server = placed.replace(/ssl_certificate_key [^;]+/, `ssl_certificate_key ${key}`)
    writeFileSync(path, `pid ${folder}/nginx.pid;\nevents {}\nhttp {\n${server}\n}\n`)
    execFileSync('nginx', ['-t', '-c', path], { stdio: 'pipe' })
  })

  test('Caddy accepts its file', { skip: missing('caddy') }, () => {
    const env = { ...process.env, SITE: 'sign.example.com', UPSTREAM: '127.0.0.1:8080' }
    execFileSync('caddy', ['validate', '--config', 'packaging/Caddyfile', '--adapter', 'caddyfile'], {
      env,
      stdio: 'pipe',
    })
  })
})
