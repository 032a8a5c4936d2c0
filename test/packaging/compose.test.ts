// The compose file says things that are true: it parses, names what exists, and its settings are ones that start.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readConfig } from '#platform/config/config.ts'
import { parseStorageAddress } from '#platform/blobs/storage-address.ts'
import { connect } from '#client'
import { parse } from 'yaml'
import { createDatabase } from '../database.ts'
import { startS3Server } from '../fakes/s3-server.ts'
import { KEY, makeInstallation } from '../installation.ts'
import { makePdf } from '../small-pdf.ts'
import { until } from '../until.ts'
import { environmentNames } from './environment-names.ts'

type Service = {
  image: string
  environment: Record<string, string>
  volumes: string[]
  networks: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: object
  read_only?: boolean
  cap_drop?: string[]
}
type Compose = {
  services: Record<string, Service>
  networks: Record<string, { ipam: { config: { subnet: string }[] } } | null>
  volumes: Record<string, null>
}

const text = readFileSync('compose.yaml', 'utf8')
const compose = parse(text) as Compose
const { countersign, proxy, store } = compose.services as Record<'countersign' | 'proxy' | 'store', Service>

/** What an operator would have filled in. */
const given: Record<string, string> = {
  COUNTERSIGN_SECRET_KEY: 'k'.repeat(44),
  POSTGRES_PASSWORD: 'p',
  STORE_ACCESS_KEY: 'GK0123456789abcdef01234567',
  STORE_SECRET_KEY: 's'.repeat(64),
  STORE_RPC_SECRET: 'r'.repeat(64),
  SITE: 'sign.example.com',
}

const fillIn = (value: string, values: Record<string, string> = given) =>
  value.replaceAll(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, kind?: string, otherwise = '') => {
    const found = values[name]
    if (!found && kind === '?') throw new Error(`${name} is missing: ${otherwise}`)
    return found || (kind === '-' ? otherwise : '')
  })

const environment = (service: Service) =>
  Object.fromEntries(Object.entries(service.environment).map(([name, value]) => [name, fillIn(value)]))

describe('compose.yaml', () => {
  test('the service starts with what it is given', () => {
    const config = readConfig({ ...environment(countersign), COUNTERSIGN_HOST: '0.0.0.0', COUNTERSIGN_DATA: '/data' })
    assert.equal(config.publicUrl, 'https://sign.example.com')
    assert.equal(parseStorageAddress(config.storage).kind, 's3')
    assert.equal(config.mail, undefined)
  })

  test('every setting of the service is one that it knows', () => {
    const known = environmentNames()
    const names = Object.keys(countersign.environment).filter((name) => !name.startsWith('AWS_'))
    for (const name of names) assert.ok(known.has(name), name)
  })

  test('a secret that is not filled in stops it, and every one is explained', () => {
    assert.throws(
      () => fillIn(countersign.environment['COUNTERSIGN_SECRET_KEY']!, {}),
      /COUNTERSIGN_SECRET_KEY is missing/,
    )
    const example = readFileSync('packaging/compose.env.example', 'utf8')
    const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!))
    const explained = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!)
    assert.deepEqual(explained.toSorted(), [...used].toSorted())
    for (const [, name, value] of example.matchAll(/^([A-Z_]+)=(.*)$/gm))
      assert.ok(value === '' || name === 'SITE', name)
  })

  test('service and store agree on bucket, place, region and keys', () => {
    const storage = new URL(environment(countersign)['COUNTERSIGN_STORAGE']!)
    const kept = environment(store)
    assert.equal(storage.hostname, kept['GARAGE_DEFAULT_BUCKET'])
    assert.equal(environment(countersign)['AWS_ACCESS_KEY_ID'], kept['GARAGE_DEFAULT_ACCESS_KEY'])
    assert.equal(environment(countersign)['AWS_SECRET_ACCESS_KEY'], kept['GARAGE_DEFAULT_SECRET_KEY'])
    const garage = readFileSync('packaging/garage.toml', 'utf8')
    assert.match(garage, new RegExp(`s3_region = "${storage.searchParams.get('region')}"`))
    const endpoint = new URL(storage.searchParams.get('endpoint')!)
    assert.ok(endpoint.hostname in compose.services)
    assert.match(garage, new RegExp(`api_bind_addr = "\\[::\\]:${endpoint.port}"`))
  })

  test('the proxy’s word is taken in its own network alone', () => {
    const subnet = compose.networks['front']!.ipam.config[0]!.subnet
    assert.equal(countersign.environment['COUNTERSIGN_TRUST_PROXY'], subnet)
    assert.deepEqual(proxy.networks, ['front'])
    assert.equal(proxy.environment['UPSTREAM'], 'countersign:8080')
    assert.ok(!('ports' in countersign), 'the service is reached through the proxy only')
  })

  test('what is mounted, depended on and connected to is there', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      for (const volume of service.volumes) {
        const from = volume.split(':')[0]!
        assert.ok(from.startsWith('./') ? existsSync(from) : from in compose.volumes, `${name}: ${volume}`)
      }
      for (const network of service.networks) assert.ok(network in compose.networks, `${name}: ${network}`)
      for (const other of Object.keys(service.depends_on ?? {})) {
        const target = compose.services[other]!
        assert.ok(target.healthcheck ?? other === 'countersign', `${other} has no health check`)
      }
      assert.match(service.image, /^(countersign|[\w/.-]+:[\w.-]*\d[\w.-]*)$/, `${name} is pinned`)
    }
  })

  test('the service runs and seals on such a database and such a store', async () => {
    const database = await createDatabase()
    const s3 = await startS3Server()
    const installation = await makeInstallation()
    try {
      const { host, port, user, password } = database.connection as Record<string, string>
      const storage = environment(countersign)['COUNTERSIGN_STORAGE']!
      await installation.start({
        ...environment(countersign),
        COUNTERSIGN_HOST: '0.0.0.0',
        DATABASE_URL: `postgres://${user}:${password}@/${database.name}?host=${encodeURIComponent(host!)}&port=${port}`,
        COUNTERSIGN_STORAGE: storage
          .replace('//countersign?', `//${s3.bucket}?`)
          .replace('http://store:3900', s3.endpoint),
        AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
      })
      const service = connect({ url: `http://127.0.0.1:${installation.port}`, key: KEY })
      const { uri: documentURI } = await service.uploadDocument({ content: new Uint8Array(makePdf()) })
      const { id: sealingRequestId } = await service.createSealingRequest({ subject: 'Invoice' })
      await service.addDocumentToSealingRequest({ sealingRequestId, documentURI, fileName: 'invoice.pdf' })
      await service.createOrChangeSealingRequest({ sealingRequestId, status: 'Open' })
      const isSealed = async () => (await service.readSealingRequest({ sealingRequestId })).status === 'Processed'
      await until('the seal', isSealed, { everyMs: 200 })
      assert.ok(s3.objects.size >= 2, 'the document as it was given and as it was sealed')
      assert.equal(await installation.end('SIGTERM'), 0)
    } finally {
      installation.remove()
      await s3.close()
      await database.drop()
    }
  })

  test('the service can write to its volume and nowhere else', () => {
    assert.equal(countersign.read_only, true)
    assert.deepEqual(countersign.cap_drop, ['ALL'])
  })
})
