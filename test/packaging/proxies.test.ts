// The example files of the proxies, really run in front of a service, where the machine has nginx or Caddy.
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../free-port.ts'
import { startService, type TestService, type TestTenant } from '../service.ts'
import { create } from '../signature-requests.ts'
import { until } from '../until.ts'

const MIB = 1024 * 1024
const isMissing = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0

type Place = { folder: string; port: number; upstream: string }

/** nginx with the file as it is, but for ports and the certificate. */
function startNginx({ folder, port, upstream }: Place): ChildProcess {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const asked = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=sign.example.com']
  execFileSync('openssl', [...asked, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const server = readFileSync('packaging/nginx.conf', 'utf8')
    .replace('127.0.0.1:8080', upstream)
    .replace(/listen 80;\n.*listen \[::\]:80;\n/, `listen unix:${folder}/plain.sock;\n`)
    .replace(/listen 443 (.*);\n.*listen \[::\]:443 .*;\n/, `listen 127.0.0.1:${port} $1;\n`)
    .replace(/ssl_certificate [^;]+/, `ssl_certificate ${certificate}`)
    .replace(/ssl_certificate_key [^;]+/, `ssl_certificate_key ${key}`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `pid ${folder}/pid;\ndaemon off;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${server}\n}\n`,
  )
  return spawn('nginx', ['-c', file, '-e', join(folder, 'error.log')], { stdio: 'ignore' })
}

/** Caddy with the file as it is; its own authority makes the certificate, and at its end it waits for nobody long. */
function startCaddy({ folder, port, upstream }: Place, admin: number): ChildProcess {
  const file = join(folder, 'Caddyfile')
  writeFileSync(
    file,
    `{\n\tskip_install_trust\n\tauto_https disable_redirects\n\tgrace_period 1s\n}\n${readFileSync('packaging/Caddyfile', 'utf8')}`,
  )
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    SITE: `https://localhost:${port}`,
    UPSTREAM: upstream,
    CADDY_ADMIN: `127.0.0.1:${admin}`,
  }
  return spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env, stdio: 'ignore' })
}

for (const name of ['nginx', 'caddy'] as const) {
  describe(`behind ${name}`, { skip: isMissing(name) && `${name} is not installed` }, () => {
    const folder = mkdtempSync(join(tmpdir(), `countersign-${name}-`))
    const seen: IncomingHttpHeaders[] = []
    let service: TestService
    let tenant: TestTenant
    let proxy: ChildProcess
    let port: number

    before(async () => {
      service = await startService({ COUNTERSIGN_TRUST_PROXY: '127.0.0.1' }, { worker: { delivers: true } })
      service.app.server.on('request', ({ headers }) => seen.push(headers))
      tenant = await service.createTenant()
      port = await freePort()
      const place = { folder, port, upstream: new URL(service.url).host }
      proxy = name === 'nginx' ? startNginx(place) : startCaddy(place, await freePort())
      await until(
        'the proxy to answer',
        async () => (await send('GET', '/verify').catch(() => undefined))?.status === 200,
      )
    })
    after(async () => {
      const ended = once(proxy, 'exit')
      if (proxy.exitCode === null && proxy.kill('SIGTERM')) await ended
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    type Sent = { status: number; text: string; headers: IncomingHttpHeaders }

    /** Over TLS, by a certificate that nobody has to know. */
    const call = (method: string, path: string, headers: Record<string, string> = {}) =>
      request({
        method,
        path,
        port,
        host: '127.0.0.1',
        servername: 'localhost',
        rejectUnauthorized: false,
        headers: { host: `localhost:${port}`, 'ocp-apim-subscription-key': tenant.key, ...headers },
      })
    const send = async (
      method: string,
      path: string,
      headers: Record<string, string> = {},
      body?: Buffer,
    ): Promise<Sent> => {
      const asked = call(method, path, headers)
      const answered = new Promise<Sent>((resolve, reject) => {
        asked.on('error', reject).on('response', (response) => {
          let text = ''
          response.on('data', (chunk: Buffer) => (text += chunk.toString()))
          response.on('end', () => resolve({ status: response.statusCode!, text, headers: response.headers }))
        })
      })
      asked.end(body)
      return answered
    }

    test('the service learns who calls, and not what callers claim', async () => {
      seen.length = 0
      await send('GET', '/verify', {
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-proto': 'gopher',
        'x-forwarded-host': 'evil.example',
      })
      const [headers] = seen
      assert.equal(headers!['x-forwarded-for'], '127.0.0.1')
      assert.equal(headers!['x-forwarded-proto'], 'https')
      assert.match(headers!['x-forwarded-host'] as string, /^localhost/)
    })

    test('a document of 20 MiB goes through; one beyond the limit is refused in the service’s words', async () => {
      const pdf = { 'content-type': 'application/pdf' }
      const stored = await send('POST', '/storage/document', pdf, Buffer.alloc(20 * MIB, '%PDF-1.7\n'))
      assert.equal(stored.status, 200, stored.text)
      assert.equal((JSON.parse(stored.text) as { size: number }).size, 20 * MIB)
      const refused = await send('POST', '/storage/document', pdf, Buffer.alloc(101 * MIB))
      assert.equal(refused.status, 413)
      assert.equal((JSON.parse(refused.text) as { classification: string }).classification, 'InvalidArgument')
    })

    test('events arrive while the stream is open', async () => {
      const stream = call('GET', '/event/stream', { accept: 'text/event-stream' })
      let text = ''
      stream.on('error', () => {})
      const begun = once(stream, 'response') as Promise<[IncomingMessage]>
      stream.end()
      const [response] = await begun
      response.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => {})
      const id = await create(tenant.call)
      await until('its event', async () => text.includes(id))
      stream.destroy()
    })

    test('the metrics stay inside, and pages come whole', async () => {
      assert.equal((await send('GET', '/metrics')).status, 404)
      const page = await send('GET', '/verify')
      assert.equal(page.status, 200)
      assert.match(page.text, /<\/html>\s*$/)
      assert.ok(page.headers['content-security-policy'])
    })
  })
}
