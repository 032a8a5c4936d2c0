import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { makeRoot, makeSealCertificate } from '#pki/authority.ts'
import { parseCertificate } from '#pki/certificate.ts'
import { findRevocation, parseCrl } from '#pki/crl.ts'
import { buildOcspRequest } from '#pki/ocsp-request.ts'
import { judgeOcspResponse, parseOcspResponse } from '#pki/ocsp.ts'
import { generateKey, memoryKey, memorySigner } from '#pki/raw-signer.ts'
import { newId } from '#platform/ids.ts'
import { addDepartment, type TestDepartment } from '../../../test/departments.ts'
import { openssl, withoutOpenssl } from '../../../test/fakes/openssl.ts'
import { startService, type Caller, type TestService, type TestTenant } from '../../../test/service.ts'
import type { TestWorker } from '../../../test/worker.ts'
import { until } from '../../../test/until.ts'
import { findSealSigner } from './index.ts'

describe('seal certificates', () => {
  let service: TestService
  let worker: TestWorker
  let acme: TestTenant
  let other: TestTenant
  let sales: TestDepartment
  let legal: TestDepartment

  before(async () => {
    service = await startService({ COUNTERSIGN_PUBLIC_URL: 'https://sign.example.com' })
    // One alone: a second one without handlers would take jobs over and leave them lying.
    worker = service.startWorker()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
    sales = await addDepartment(service, acme, 'Sales')
    legal = await addDepartment(service, acme, 'Legal')
  })

  after(() => service.stop())

  async function add(call: Caller, body: object) {
    const reply = await call('POST', '/sealing/certificate', body)
    assert.equal(reply.status, 202, reply.text)
    assert.equal(reply.json.state, 'Pending')
    return settled(call, reply.json.id)
  }

  const settled = (call: Caller, id: string) =>
    until('the certificate', async () => {
      const { json } = await call('GET', '/sealing/certificate')
      const found = json.items.find((item: { id: string }) => item.id === id)
      return found.state !== 'Pending' && found
    })

  /** A certificate and key by an authority that nobody of ours has made. */
  async function makeForeign({ baseUrl, now = service.clock.now() }: { baseUrl?: string; now?: Date } = {}) {
    const root = await generateKey('ES256')
    const key = memoryKey(root.privateKey, 'ES256')
    const rootCertificate = await makeRoot({ publicKey: root.publicKey, key, name: 'Foreign root', now })
    const issuer = memorySigner({ certificate: rootCertificate, chain: [], algorithm: 'ES256', ...root })
    const { publicKey, privateKey } = await generateKey('ES256')
    const subject = { publicKey, name: 'Foreign seal', organization: 'Foreign', now, ...(baseUrl && { baseUrl }) }
    const certificate = await makeSealCertificate(issuer, subject)
    const pem = (der: Buffer) =>
      `-----BEGIN CERTIFICATE-----\n${der
        .toString('base64')
        .match(/.{1,64}/g)!
        .join('\n')}\n-----END CERTIFICATE-----\n`
    const keyPem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    return { certificate, leaf: pem(certificate), root: pem(rootCertificate), key: keyPem, rootKey: root }
  }

  /** The root's certificate as a seal of its own: self-signed, but not an authority. */
  const selfSigned = () =>
    openssl(
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=Self-made -keyout - -out -'
        .split(' ')
        .concat('-addext', 'basicConstraints=critical,CA:FALSE')
        .concat('-addext', 'keyUsage=critical,digitalSignature,nonRepudiation'),
    )

  test('generated: Active, named after the department, under the tenant’s authority, with our addresses', async () => {
    const made = await add(sales.call, { generate: true })
    assert.equal(made.state, 'Active')
    assert.equal(made.departmentId, sales.id)
    assert.match(made.subject, /CN=Sales/)
    assert.match(made.issuer, /Acme/)
    const signer = await findSealSigner(worker.platform, {
      tenantId: acme.tenantId,
      departmentId: sales.id,
      now: service.clock.now(),
    })
    assert.equal(createHash('sha256').update(signer.certificate).digest('hex'), made.sha256)
    const { ocspAddresses, crlAddresses } = parseCertificate(signer.certificate)
    assert.match(ocspAddresses[0]!, /^https:\/\/sign\.example\.com\/pki\/[0-9a-f]{40}\/ocsp$/)
    assert.match(crlAddresses[0]!, /^https:\/\/sign\.example\.com\/pki\/[0-9a-f]{40}\/authority\.crl$/)
  })

  test('names of nothing but white space keep nobody from having one: the ids stand for them', async () => {
    const blank = await service.createTenant(' \t ')
    const department = await addDepartment(service, blank, ' ')
    const { state, subject } = await add(blank.call, { generate: true, departmentId: department.id })
    assert.equal(state, 'Active')
    assert.equal(subject, `O=${blank.tenantId}, CN=${department.id}`)
  })

  test('a new one takes the place of the earlier one', async () => {
    const first = await add(legal.call, { generate: true })
    const second = await add(legal.call, { generate: true })
    assert.equal(second.state, 'Active')
    assert.equal((await settled(legal.call, first.id)).state, 'Replaced')
  })

  test('from PEM, self-signed', { skip: withoutOpenssl }, async () => {
    const { bytes } = selfSigned()
    const made = await add(sales.call, { pem: bytes.toString() })
    assert.deepEqual([made.state, made.stateReason, made.origin], ['Active', null, 'pem'])
    assert.match(made.subject, /Self-made/)
  })

  test('from PKCS #12 with a password, and with a wrong one', { skip: withoutOpenssl }, async () => {
    const { bytes: pem } = selfSigned()
    const { bytes } = openssl(
      ['pkcs12', '-export', '-in', 'in.pem', '-inkey', 'in.pem', '-passout', 'pass:open sesame', '-out', 'out'],
      { 'in.pem': pem },
    )
    const pkcs12 = bytes.toString('base64')
    const wrong = await add(sales.call, { pkcs12, password: 'guess' })
    assert.equal(wrong.state, 'Failed')
    assert.match(wrong.stateReason, /password/i)
    const made = await add(sales.call, { pkcs12, password: 'open sesame' })
    assert.deepEqual([made.state, made.stateReason, made.origin], ['Active', null, 'pkcs12'])
  })

  test('what could not seal well is refused in plain words', async () => {
    const year = 365 * 24 * 60 * 60 * 1000
    const expired = await makeForeign({ now: new Date(service.clock.now().getTime() - 4 * year) })
    const unasked = await makeForeign()
    const lasting = await makeForeign({ baseUrl: 'https://foreign.example.com' })
    const stranger = await makeForeign()
    const cases: [what: string, pem: string, reason: RegExp][] = [
      ['expired', expired.key + expired.leaf + expired.root, /not now/],
      ['no chain', lasting.key + lasting.leaf, /authorities above/],
      ['no address to ask at', unasked.key + unasked.leaf + unasked.root, /revocation/],
      ['another’s key', stranger.key + lasting.leaf + lasting.root, /belongs to the private key/],
      ['no key', lasting.leaf, /exactly one private key/],
      ['nothing at all', 'hello', /exactly one private key/],
    ]
    for (const [what, pem, reason] of cases) {
      const made = await add(sales.call, { pem })
      assert.equal(made.state, 'Failed', what)
      assert.match(made.stateReason, reason, what)
    }
    const good = await add(legal.call, { pem: lasting.key + lasting.leaf + lasting.root })
    assert.deepEqual([good.state, good.stateReason], ['Active', null])
  })

  test('the uploaded key is unreadable in the job, and gone from it afterwards', async () => {
    const { key, leaf, root } = await makeForeign({ baseUrl: 'https://foreign.example.com' })
    const quiet = await startService()
    try {
      const tenant = await quiet.createTenant()
      await tenant.call('POST', '/sealing/certificate', { pem: key + leaf + root })
      const [job] = await quiet.database.asOwner('select payload::text as payload from job')
      assert.doesNotMatch(String(job!['payload']), /PRIVATE KEY|CERTIFICATE/)
      quiet.startWorker()
      await until('the job to end', async () => (await quiet.database.asOwner('select 1 from job')).length === 0)
    } finally {
      await quiet.stop()
    }
  })

  test('bad input is refused', async () => {
    const cases: [body: object, message: RegExp][] = [
      [{}, /exactly one/],
      [{ generate: false }, /exactly one/],
      [{ generate: true, pem: 'x' }, /exactly one/],
      [{ pkcs12: 'not base64!' }, /Base64/],
      [{ generate: true, departmentId: newId() }, /departmentId/],
      [{ generate: true, departmentId: other.rootDepartmentId }, /departmentId/],
    ]
    for (const [body, message] of cases) {
      const { status, json } = await acme.call('POST', '/sealing/certificate', body)
      assert.equal(status, 400, JSON.stringify(body))
      assert.match(json.message, message)
    }
  })

  test('deleting revokes: the list and the answer tell it, the key is destroyed, the department falls back', async () => {
    const made = await add(legal.call, { generate: true })
    const [row] = await service.database.asOwner(
      'select certificate, issuer_key_id as "keyId" from certificate where id = $1',
      [made.id],
    )
    const keyId = (row!['keyId'] as Buffer).toString('hex')
    const certificate = parseCertificate(row!['certificate'] as Buffer)
    const fetchBytes = async (path: string, init?: RequestInit) =>
      Buffer.from(await (await fetch(`${service.url}/pki/${keyId}/${path}`, init)).arrayBuffer())
    const issuer = parseCertificate(await fetchBytes('authority.cer'))
    const ask = async () => {
      const body = new Uint8Array(buildOcspRequest(certificate, issuer))
      const post = () => fetchBytes('ocsp', { method: 'POST', body })
      const posted = await post()
      const got = await fetchBytes(`ocsp/${encodeURIComponent(Buffer.from(body).toString('base64'))}`)
      // A new answer may be published between the two.
      assert.ok(got.equals(posted) || got.equals(await post()))
      return judgeOcspResponse(parseOcspResponse(posted), certificate, issuer).status
    }
    assert.equal(await ask(), 'good')
    assert.equal(findRevocation(parseCrl(await fetchBytes('authority.crl')), certificate), undefined)

    const deleted = await legal.call('DELETE', `/sealing/certificate/${made.id}`)
    assert.equal(deleted.status, 200, deleted.text)
    assert.equal(deleted.json.state, 'Revoked')
    const again = await legal.call('DELETE', `/sealing/certificate/${made.id}`)
    assert.deepEqual(again.json, deleted.json)

    const status = await until('the answer', async () => {
      const answer = await ask()
      return answer !== 'good' && answer
    })
    assert.deepEqual(Object.keys(status as object).sort(), ['reason', 'revokedAt'])
    const entry = findRevocation(parseCrl(await fetchBytes('authority.crl')), certificate)
    assert.equal(entry?.reason, 'cessationOfOperation')
    const keys = await service.database.asOwner('select 1 from certificate_key where certificate_id = $1', [made.id])
    assert.equal(keys.length, 0)
    const signer = await findSealSigner(worker.platform, {
      tenantId: acme.tenantId,
      departmentId: legal.id,
      now: service.clock.now(),
    })
    assert.notDeepEqual(signer.certificate, certificate.raw)
  })

  test('who may: keys and administrators in their reach; another tenant’s certificate does not exist', async () => {
    const made = await add(sales.call, { generate: true })
    const listed = async (call: Caller) =>
      (await call('GET', '/sealing/certificate')).json.items.map((item: { id: string }) => item.id)
    assert.ok((await listed(acme.asAdministrator)).includes(made.id))
    assert.ok(!(await listed(legal.call)).includes(made.id))
    assert.ok(!(await listed(other.call)).includes(made.id))
    assert.equal((await legal.call('DELETE', `/sealing/certificate/${made.id}`)).status, 403)
    assert.equal((await legal.call('GET', `/sealing/certificate?departmentId=${sales.id}`)).status, 403)
    assert.equal(
      (await legal.call('POST', '/sealing/certificate', { generate: true, departmentId: sales.id })).status,
      403,
    )
    const unknown = await other.call('DELETE', `/sealing/certificate/${newId()}`)
    const foreign = await other.call('DELETE', `/sealing/certificate/${made.id}`)
    assert.deepEqual([foreign.status, foreign.json.code], [unknown.status, unknown.json.code])
    assert.equal(foreign.json.classification, 'EntityNotFound')
  })

  test('nobody knows an authority that is not there, and nonsense is called malformed', async () => {
    const nobody = 'ab'.repeat(20)
    assert.equal((await service.call('GET', `/pki/${nobody}/authority.cer`)).status, 204)
    assert.equal((await service.call('GET', `/pki/${nobody}/authority.crl`)).status, 204)
    const answer = await fetch(`${service.url}/pki/${nobody}/ocsp`, { method: 'POST', body: 'nonsense' })
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), Buffer.from('30030a0101', 'hex'))
  })
})
