import assert from 'node:assert/strict'
import { readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createKey } from '#features/onboarding/index.ts'
import { blobKey } from '#platform/blobs/blob-key.ts'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { openS3Blobs } from '#platform/blobs/s3-blobs.ts'
import { environmentOf, openShell, type Outcome } from '../../../test/command-line.ts'
import { startS3Server, type S3Server } from '../../../test/fakes/s3-server.ts'
import type { TestService, TestTenant } from '../../../test/service.ts'
import { invite, openLink, startSigningService, untilStatus } from '../../../test/signing-flow.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { openWith, waitFor } from '../../features/sealing/testing/sealer.ts'
import { auditFiles } from '../audit/audit-files.ts'
import { openLocalPlatform } from '../local-installation.ts'

const EVERYTHING = { after: '00000000-0000-0000-0000-000000000000', before: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

const RETRY = { attempts: 2, baseDelayMs: 1, maxDelayMs: 5, deadlineMs: 60_000 }

type Row = { id: string; kind: string; uri: string; sha256: string; tenantId: string }

describe('countersign documents audit', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant
  let shell: (...args: string[]) => Promise<Outcome>
  let files: Row[]

  before(async () => {
    service = await startSigningService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
    await waitFor(acme.call, await openWith(acme.call, [makePdf('One'), makePdf('Two')]), 'Processed')
    await waitFor(other.call, await openWith(other.call, [makePdf('Three')]), 'Processed')
    await signOne('Closed', [{ firstName: 'Aino', lastName: 'Virtanen', email: 'aino@example.com' }])
    await signOne('Open', [
      { firstName: 'Aino', lastName: 'Virtanen', email: 'aino@example.com' },
      { firstName: 'Bert', lastName: 'Berg', email: 'bert@example.com' },
    ])
    shell = openShell(environmentOf(service))
    files = await listFiles()
  })
  after(() => service.stop())

  async function signOne(status: string, signatories: object[]): Promise<void> {
    const { requestId, signatoryIds } = await invite(acme, { signatories })
    const browser = await openLink(service, acme, requestId, signatoryIds[0]!)
    await browser.pageIn('ready')
    await browser.sign()
    await browser.pageIn('signed', 'closed')
    await untilStatus(acme, requestId, status)
  }

  async function listFiles(): Promise<Row[]> {
    const rows = await service.database.asOwner(
      `select f.id, f.kind, f.uri, f.tenant_id as "tenantId", encode(s.sha256, 'hex') as sha256
         from (select tenant_id, id, 'signaturedocument' as kind, document_id as uri from signature_document
               union all
               select tenant_id, id, 'evidence', evidence_document_id from signature_request
                where evidence_document_id is not null
               union all
               select tenant_id, id, 'sealingdocument', document_id from sealing_document) f
         join stored_document s on s.tenant_id = f.tenant_id and s.id = f.uri
        order by f.tenant_id, f.kind, f.id`,
    )
    return rows as Row[]
  }

  const pathOf = ({ tenantId, sha256 }: Row) => join(service.blobFolder, blobKey(tenantId, sha256))
  const audit = async (...args: string[]) => shell('documents', 'audit', '--json', ...args)

  /** Does something to a file, looks, and puts it back. */
  async function auditWhile(row: Row, harm: (path: string) => void): Promise<Outcome> {
    const path = pathOf(row)
    const honest = readFileSync(path)
    harm(path)
    try {
      return await audit()
    } finally {
      writeFileSync(path, honest)
    }
  }

  function requireNamed({ exitCode, json }: Outcome, { kind, id, uri, tenantId }: Row, problem: RegExp): void {
    assert.equal(exitCode, 1)
    const named = json.findings.map((finding: Row & { documentURI: string }) => [
      finding.tenantId,
      finding.kind,
      finding.id,
      finding.documentURI,
    ])
    assert.deepEqual(named, [[tenantId, kind, id, uri]], JSON.stringify(json))
    assert.match(json.findings[0].problem, problem)
    assert.deepEqual([json.isSound, json.sound, json.failures], [false, files.length - 1, 1])
  }

  test('finds an honest store sound: signed in part, closed, sealed, and the evidence', async () => {
    const { exitCode, json, err } = await audit()
    assert.equal(exitCode, 0, err + JSON.stringify(json))
    assert.deepEqual([json.isSound, json.sound, json.failures, json.gone], [true, files.length, 0, 0])
    assert.equal(files.length, 6)
    assert.equal(json.revisions, 3, 'prepared and signed of the closed one, prepared of the open one')
    assert.equal(json.stoppedAfter, null)
    const { out } = await shell('documents', 'audit')
    assert.match(out, /^Sound: 6 files good, 0 bad; 3 earlier revisions unchanged; \d+\.\d MB read\.\n$/)
  })

  test('names a file in which one bit is another', async () => {
    for (const kind of ['signaturedocument', 'evidence', 'sealingdocument']) {
      const row = files.find((file) => file.kind === kind)!
      const outcome = await auditWhile(row, (path) => {
        const bytes = readFileSync(path)
        bytes[bytes.length >> 1]! ^= 1
        writeFileSync(path, bytes)
      })
      requireNamed(outcome, row, /damaged.*its SHA-256 is/)
    }
  })

  test('names a file that was cut off, is missing, or was exchanged for another valid one', async () => {
    const [row, twin] = files.filter(({ kind, tenantId }) => kind === 'sealingdocument' && tenantId === acme.tenantId)
    requireNamed(await auditWhile(row!, (path) => truncateSync(path, 100)), row!, /damaged/)
    const away = join(service.blobFolder, 'away')
    requireNamed(await auditWhile(row!, (path) => renameSync(path, away)), row!, /missing/)
    const exchange = (path: string) => writeFileSync(path, readFileSync(pathOf(twin!)))
    requireNamed(await auditWhile(row!, exchange), row!, /damaged/)
  })

  const seals = () => files.filter(({ kind, tenantId }) => kind === 'sealingdocument' && tenantId === acme.tenantId)

  /** The store has another content for the document from now on. */
  const lead = (target: Row, sha256: string) =>
    service.database.asOwner(`update stored_document set sha256 = decode($3, 'hex') where tenant_id = $1 and id = $2`, [
      target.tenantId,
      target.uri,
      sha256,
    ])

  test('names a file whose record was led to another', async () => {
    const row = files.find(({ kind }) => kind === 'signaturedocument')!
    const evidence = files.find(({ kind }) => kind === 'evidence')!
    const [seal] = seals()
    await lead(row, seal!.sha256)
    requireNamed(await audit(), row, /names another file than the store has/)
    await lead(row, row.sha256)
    await lead(evidence, seal!.sha256)
    requireNamed(await audit(), evidence, /its history tells of another file/)
    await lead(evidence, evidence.sha256)
  })

  test('names both of two sealed files whose records were exchanged', async () => {
    const [one, two] = seals()
    const exchangeContents = async () => {
      await lead(one!, two!.sha256)
      await lead(two!, one!.sha256)
      return async () => void (await Promise.all([lead(one!, one!.sha256), lead(two!, two!.sha256)]))
    }
    const exchangeDocuments = async () => {
      const point = ({ id }: Row, { uri }: Row) =>
        service.database.asOwner(
          'update sealing_document set sealed_document_id = $2, document_id = $2 where id = $1',
          [id, uri],
        )
      await point(one!, two!)
      await point(two!, one!)
      return async () => void (await Promise.all([point(one!, one!), point(two!, two!)]))
    }
    for (const exchange of [exchangeContents, exchangeDocuments]) {
      const putBack = await exchange()
      const { exitCode, json } = await audit()
      await putBack()
      assert.equal(exitCode, 1)
      assert.deepEqual(json.findings.map(({ id }: Row) => id).toSorted(), [one!.id, two!.id].toSorted())
      for (const { problem } of json.findings) assert.match(problem, /its history tells of another file/)
    }
    assert.equal((await audit()).exitCode, 0)
  })

  test('holds a file whose history tells no SHA-256, as older ones of seals do, against the rest', async () => {
    const [seal] = seals()
    const older = (body: string) => {
      const told = JSON.parse(body)
      return JSON.stringify({ ...told, data: { ...told.data, documents: told.data.documents.length } })
    }
    const event = `event_id in (select id from event where type = 'sealingrequestprocessed' and tenant_id = $1)`
    const [honest] = await service.database.asOwner(
      `select convert_from(body, 'UTF8') as body from event_body where ${event}`,
      [acme.tenantId],
    )
    const tell = (body: string) =>
      service.database.asOwner(`update event_body set body = convert_to($2, 'UTF8') where ${event}`, [
        acme.tenantId,
        body,
      ])
    await tell(older(String(honest!['body'])))
    assert.equal((await audit()).exitCode, 0)
    const { sha256: unsigned } = await service.platform.blobs.put(acme.tenantId, makePdf('Unsigned'))
    await lead(seal!, unsigned)
    requireNamed(await audit(), seal!, /nobody has signed it/)
    await lead(seal!, seal!.sha256)
    await tell(String(honest!['body']))
  })

  test('stops when asked, and goes on behind the place that it told; takes a span of time', async () => {
    const { platform, close } = await openLocalPlatform(environmentOf(service))
    const stop = new AbortController()
    const onFiles = (_: number, total: number) => {
      assert.equal(total, files.length)
      stop.abort()
    }
    const begun = await auditFiles(platform, { span: EVERYTHING, signal: stop.signal, onFiles }).finally(close)
    assert.equal(begun.sound, 1)
    const { tenantId, kind, id } = begun.stoppedAfter!
    const { json } = await audit('--after', `${tenantId}/${kind}/${id}`)
    assert.equal(json.sound, files.length - 1)
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    assert.equal((await audit('--since', hourAgo)).json.sound, files.length)
    assert.equal((await audit('--until', hourAgo)).json.sound, 0)
    for (const wrong of [
      ['--after', 'x/y/z'],
      ['--since', 'yesterday'],
    ])
      assert.equal((await shell('documents', 'audit', ...wrong)).exitCode, 2)
  })

  test('could not write a row if it wanted to', async () => {
    const readOnly = { isReadOnly: true }
    const { platform, close } = await openLocalPlatform(environmentOf(service), 'countersign_request', readOnly)
    const { tenantId, rootDepartmentId: departmentId } = acme
    const write = platform.db.transaction(tenantId, (tx) =>
      createKey(tx, { tenantId, departmentId, name: 'New', now: new Date() }),
    )
    await assert.rejects(write, { code: '25006' })
    const keys = platform.db.systemTransaction((tx) => tx.query('', 'select from installation_key', []))
    await assert.rejects(keys, { code: '42501' })
    await close()
  })

  describe('over a bucket', () => {
    let s3: S3Server
    let bucket: BlobStore

    before(async () => {
      s3 = await startS3Server()
      const { bucket: name, endpoint, credentials } = s3
      const scratchFolder = join(service.blobFolder, 'scratch')
      bucket = await openS3Blobs({
        bucket: name,
        endpoint,
        credentials,
        region: 'eu-north-1',
        scratchFolder,
        retry: RETRY,
      })
      for (const { tenantId } of [acme, other])
        for await (const { sha256 } of service.platform.blobs.list(tenantId))
          await bucket.put(tenantId, await service.platform.blobs.read(tenantId, sha256))
    })
    after(async () => {
      await bucket.close()
      await s3.close()
    })

    test('finds the same', async () => {
      const look = () => auditFiles({ ...service.platform, blobs: bucket }, { span: EVERYTHING })
      assert.equal((await look()).sound, files.length)
      const { id, sha256 } = files[0]!
      const key = [...s3.objects.keys()].find((name) => name.endsWith(sha256))!
      s3.objects.get(key)!.bytes[50]! ^= 1
      const flipped = await look()
      assert.deepEqual(
        flipped.findings.map((finding) => finding.id),
        [id],
      )
      s3.objects.delete(key)
      assert.match((await look()).findings[0]!.problem, /missing/)
      s3.fault = () => 'slow down'
      await assert.rejects(look(), { code: 9014 }, 'a storage that does not answer says nothing about a file')
    })
  })
})
