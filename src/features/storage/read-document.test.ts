import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { once } from 'node:events'
import { readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { addDepartment } from '../../../test/departments.ts'
import { startService, type Caller, type TestService, type TestTenant } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'

const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from(Array.from({ length: 991 }, (_, i) => i % 251))])
const SHA256 = createHash('sha256').update(PDF).digest('hex')
const ETAG = `"${SHA256}"`

describe('stored documents', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant
  let uri: string
  let inSales: Caller

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
    uri = await upload(acme.call, PDF, 'fileName=Sopimus%20%C3%A4%20%22a%22%20100%25.pdf')
    inSales = (await addDepartment(service, acme, 'Sales')).call
  })
  after(() => service.stop())

  async function upload(call: Caller, raw: Buffer, query = ''): Promise<string> {
    const { status, json } = await call('POST', `/storage/document?${query}`, undefined, { raw })
    assert.equal(status, 200)
    return json.uri
  }

  async function download(path: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${service.url}/storage/document/${path}`, {
      headers: { 'ocp-apim-subscription-key': acme.key, ...headers },
    })
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  test('come back byte for byte, as an attachment under their own name', async () => {
    const { status, headers, bytes } = await download(uri)
    assert.equal(status, 200)
    assert.ok(bytes.equals(PDF))
    assert.equal(headers.get('content-type'), 'application/pdf')
    assert.equal(headers.get('content-length'), String(PDF.length))
    assert.equal(headers.get('etag'), ETAG)
    assert.equal(headers.get('accept-ranges'), 'bytes')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(
      headers.get('content-disposition'),
      `attachment; filename="Sopimus _ _a_ 100_.pdf"; filename*=UTF-8''Sopimus%20%C3%A4%20%22a%22%20100%25.pdf`,
    )
  })

  test('that are pages in disguise are saved, never shown: no origin, no script, no guessing', async () => {
    for (const [contentType, fileName] of [
      ['text/html', 'contract.pdf'],
      ['image/svg+xml', 'logo.svg'],
      ['application/pdf', 'page.html'],
    ] as const) {
      const raw = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>'
      const path = `/storage/document?fileName=${fileName}`
      const { json } = await acme.call('POST', path, undefined, { raw, headers: { 'content-type': contentType } })
      const { headers } = await download(json.uri)
      assert.match(headers.get('content-disposition')!, /^attachment;/)
      assert.match(headers.get('content-security-policy')!, /^default-src 'none'; .*\bsandbox$/)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('cache-control'), 'no-store')
    }
  })

  test('are found by a uri in capitals, percent-encoded, and with a trailing slash', async () => {
    for (const path of [uri.toUpperCase(), uri.replaceAll('-', '%2D'), `${uri}/`]) {
      assert.equal((await download(path)).status, 200, path)
    }
  })

  test('are not sent again to somebody who has them', async () => {
    for (const known of [ETAG, `W/${ETAG}`, `"x", ${ETAG}`, '*']) {
      const { status, headers, bytes } = await download(uri, { 'if-none-match': known })
      assert.equal(status, 304, known)
      assert.equal(headers.get('etag'), ETAG)
      assert.equal(bytes.length, 0)
    }
    assert.equal((await download(uri, { 'if-none-match': '"something else"' })).status, 200)
  })

  test('are sent in part where one range is asked for', async () => {
    const cases: [range: string, start: number, end: number][] = [
      ['bytes=0-0', 0, 0],
      ['bytes=10-19', 10, 19],
      ['bytes=990-', 990, 999],
      ['bytes=990-5000', 990, 999],
      ['bytes=-5', 995, 999],
      ['bytes=-5000', 0, 999],
      ['bytes=0-', 0, 999],
    ]
    for (const [range, start, end] of cases) {
      const { status, headers, bytes } = await download(uri, { range })
      assert.equal(status, 206, range)
      assert.equal(headers.get('content-range'), `bytes ${start}-${end}/1000`)
      assert.equal(headers.get('content-length'), String(end - start + 1))
      assert.ok(bytes.equals(PDF.subarray(start, end + 1)), range)
    }
  })

  test('are sent whole where the range is several, malformed, of other units, or of another version', async () => {
    const cases: Record<string, string>[] = [
      { range: 'bytes=0-1,5-6' },
      { range: 'bytes=9-1' },
      { range: 'bytes=-' },
      { range: 'bytes=a-b' },
      { range: 'lines=1-2' },
      { range: 'bytes=0-1', 'if-range': '"another"' },
    ]
    for (const headers of cases) {
      const { status, bytes } = await download(uri, headers)
      assert.equal(status, 200, JSON.stringify(headers))
      assert.equal(bytes.length, PDF.length)
    }
    assert.equal((await download(uri, { range: 'bytes=0-1', 'if-range': ETAG })).status, 206)
  })

  test('have no bytes beyond their end: 416 with their size', async () => {
    for (const range of ['bytes=1000-', 'bytes=5000-6000', 'bytes=-0']) {
      const { status, headers, bytes } = await download(uri, { range })
      assert.equal(status, 416, range)
      assert.equal(headers.get('content-range'), 'bytes */1000')
      assert.equal(JSON.parse(bytes.toString()).code, 1600)
    }
  })

  test('come as Base64 text, whatever their length', async () => {
    for (const length of [1, 2, 3, 1000, 262_144, 262_145, 600_001]) {
      const content = Buffer.alloc(length, 'content of no type')
      const reply = await acme.call('GET', `/storage/document/${await upload(acme.call, content)}?Base64=TRUE`)
      assert.equal(reply.status, 200)
      assert.equal(reply.headers.get('content-type'), 'text/plain; charset=us-ascii')
      assert.equal(reply.headers.get('content-length'), String(reply.text.length))
      assert.ok(reply.text === content.toString('base64'), `${length} bytes`)
    }
  })

  test('come as an object with their Base64 where JSON is asked for by name', async () => {
    const reply = await acme.call('GET', `/storage/document/${uri}?base64=true`, undefined, {
      headers: { accept: 'text/html, application/json;q=0.9' },
    })
    assert.equal(reply.status, 200)
    assert.deepEqual(reply.json, {
      fileName: 'Sopimus ä "a" 100%.pdf',
      contentType: 'application/pdf',
      contentBase64: PDF.toString('base64'),
    })
    const text = await acme.call('GET', `/storage/document/${uri}?base64=true`, undefined, {
      headers: { accept: 'application/json;q=0, */*' },
    })
    assert.equal(text.text, PDF.toString('base64'))
    const same = await download(`${uri}?base64=true`, { 'if-none-match': text.headers.get('etag')! })
    assert.equal(same.status, 304)
  })

  test('need true or false for base64', async () => {
    const { status, json } = await acme.call('GET', `/storage/document/${uri}?base64=yes`)
    assert.equal(status, 400)
    assert.equal(json.message, 'base64: must be true or false')
  })

  test('that are nowhere, and those of another tenant, are 204 alike', async () => {
    const theirs = await upload(other.call, PDF)
    for (const path of [newId(), theirs, 'report.pdf', SHA256, `${uri}.`, `${uri}%20`, `%20${uri}`]) {
      const { status, bytes } = await download(path)
      assert.equal(status, 204, path)
      assert.equal(bytes.length, 0)
    }
  })

  test('of a department beside or above one’s own are refused, and one’s own are read', async () => {
    const { status, json } = await inSales('GET', `/storage/document/${uri}`)
    assert.equal(status, 403)
    assert.equal(json.classification, 'AuthorizationError')
    const own = await upload(inSales, PDF)
    assert.equal((await inSales('GET', `/storage/document/${own}`)).status, 200)
    assert.equal((await acme.call('GET', `/storage/document/${own}`)).status, 200)
  })

  test('need a key', async () => {
    const { status } = await service.call('GET', `/storage/document/${uri}`)
    assert.equal(status, 401)
  })

  test('are never looked for as a path: whatever the uri looks like, nothing is found', async () => {
    const inStore = `${acme.tenantId}/${SHA256.slice(0, 2)}/${SHA256}`
    const attempts: [path: string, status: number][] = [
      ['..%2f..%2f..%2fetc%2fpasswd', 204],
      ['%2e%2e%2f%2e%2e%2fetc%2fpasswd', 204],
      ['%2e%2e', 204],
      ['..', 204],
      ['..%5c..%5cwindows%5cwin.ini', 204],
      ['%252e%252e%252fetc%252fpasswd', 204],
      ['%2fetc%2fpasswd', 204],
      ['C:%5cwindows%5cwin.ini', 204],
      ['%5c%5cserver%5cshare', 204],
      ['file:%2f%2f%2fetc%2fpasswd', 204],
      [encodeURIComponent(inStore), 204],
      [encodeURIComponent(`../${inStore}`), 204],
      [`${uri}.`, 204],
      [`${uri}%20`, 204],
      [`${uri}::$DATA`, 204],
      ['x'.repeat(1024), 204],
      ['x'.repeat(4096), 204],
      [`${uri}%00`, 400],
      ['%00', 400],
      ['%c0%ae%c0%ae', 400],
      ['%ff', 400],
      ['%', 400],
      ['../../../etc/passwd', 404],
      ['//etc/passwd', 404],
      [inStore, 404],
    ]
    for (const [path, status] of attempts) {
      const answer = await rawGet(path)
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), `${path}\n${answer}`)
      assert.doesNotMatch(answer, /root:|%PDF-|countersign-service/)
    }
  })

  /** Clients tidy an address up before they send it; a socket does not. */
  function rawGet(path: string): Promise<string> {
    const { hostname, port } = new URL(service.url)
    return new Promise((resolve, reject) => {
      let answer = ''
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          `GET /storage/document/${path} HTTP/1.1\r\nhost: localhost\r\nocp-apim-subscription-key: ${acme.key}\r\nconnection: close\r\n\r\n`,
        ),
      )
      socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
      socket.on('end', () => resolve(answer))
      socket.on('error', reject)
    })
  }

  test('that nobody waits for any more are closed', { skip: process.platform !== 'linux' }, async () => {
    const content = Buffer.alloc(8 * 1024 * 1024, 'large enough to fill every buffer on the way')
    const large = await upload(acme.call, content)
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.write(`GET /storage/document/${large} HTTP/1.1\r\nhost: x\r\nocp-apim-subscription-key: ${acme.key}\r\n\r\n`)
    await once(socket, 'readable')
    assert.equal(openFiles(), 1)
    socket.destroy()
    await until('the file to be closed', async () => openFiles() === 0)
  })

  /** Of documents; their folders stay open. */
  function openFiles(): number {
    const links = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`)
      } catch {
        return '' // Closed since the folder was read.
      }
    })
    const folder = join(service.blobFolder, acme.tenantId)
    return links.filter((link) => link.startsWith(folder) && /\/[0-9a-f]{64}$/.test(link)).length
  }

  test('whose bytes are lost are an error of ours that names no place', async () => {
    const lost = await upload(acme.call, Buffer.from('soon lost'))
    const folder = join(service.blobFolder, acme.tenantId)
    const name = createHash('sha256').update('soon lost').digest('hex')
    assert.ok(readdirSync(folder).includes(name.slice(0, 2)))
    rmSync(join(folder, name.slice(0, 2), name))
    const { status, json } = await acme.call('GET', `/storage/document/${lost}`)
    assert.ok(status >= 500)
    assert.deepEqual(json, { code: 9012, classification: 'InternalError', message: 'The stored document is missing.' })
  })
})
