// Several servers and workers on one database and one S3-compatible store, with what is around them: mail and a receiver
// of webhooks. And the work that they share.
import assert from 'node:assert/strict'
import type { TestDatabase } from './database.ts'
import { startMailServer, type MailServer } from './fakes/mail-server.ts'
import { startS3Server, type S3Server } from './fakes/s3-server.ts'
import { makeReceiverAuthority, startReceiver, type Receiver } from './fakes/webhook-receiver.ts'
import { databaseEnvironment, makeMachineTenant, startMachine, type Machine, type MachineTenant } from './machines.ts'
import { PASSWORD } from './service.ts'
import { create } from './signature-requests.ts'
import { Browser } from './signing-flow.ts'
import { until } from './until.ts'

const CLOSED_WITHIN_MS = 120_000

/** An S3-compatible store by its address, and the credentials in the environment. */
export type Store = { environment: Record<string, string> }

export type Fleet = {
  tenant: MachineTenant
  servers: Machine[]
  workers: Machine[]
  mail: MailServer
  receiver: Receiver
  start(part: 'serve' | 'work'): Promise<Machine>
  stop(): Promise<void>
}

export type FleetOptions = { database: TestDatabase; store: Store; servers: number; workers: number }

export async function startFleet({ database, store, servers, workers }: FleetOptions): Promise<Fleet> {
  const authority = await makeReceiverAuthority()
  const [mail, receiver] = await Promise.all([startMailServer(), startReceiver(await authority.issue(['localhost']))])
  const environment = {
    ...databaseEnvironment(database),
    ...store.environment,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    COUNTERSIGN_MAIL_FROM: 'sign@example.com',
    COUNTERSIGN_ALLOW_INSECURE_HOOKS: 'true',
    COUNTERSIGN_HOOKS_CA_FILE: authority.caFile,
  }
  const fleet: Fleet = {
    tenant: await makeMachineTenant(database),
    servers: [],
    workers: [],
    mail,
    receiver,
    async start(part) {
      const machine = await startMachine({ part, environment })
      fleet[part === 'serve' ? 'servers' : 'workers'].push(machine)
      return machine
    },
    async stop() {
      await Promise.all([...fleet.servers, ...fleet.workers].map((machine) => machine.end('SIGKILL')))
      await Promise.all([mail.stop(), receiver.stop()])
      authority.remove()
    },
  }
  const parts = [...Array<'serve'>(servers).fill('serve'), ...Array<'work'>(workers).fill('work')]
  await Promise.all(parts.map((part) => fleet.start(part)))
  await subscribe(fleet)
  return fleet
}

export type FlakyStore = Store & {
  s3: S3Server
  /** Refuses everything, until `heal` is called. */
  fail(): void
  heal(): void
  stop(): Promise<void>
}

/** The small store of the tests, which fails now and then as the network and the real ones do. */
export async function startFlakyStore(): Promise<FlakyStore> {
  const s3 = await startS3Server()
  let count = 0
  let isFailing = false
  s3.fault = () => {
    if (isFailing) return 'slow down'
    if (++count % 29 === 0) return 'slow down'
    if (count % 37 === 0) return 'lost answer'
    return count % 97 === 0 ? 'flip upload' : undefined
  }
  const { endpoint, bucket, credentials } = s3
  return {
    s3,
    environment: {
      COUNTERSIGN_STORAGE: `s3://${bucket}?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    fail: () => (isFailing = true),
    heal: () => (isFailing = false),
    stop: () => s3.close(),
  }
}

async function subscribe({ tenant, servers, receiver }: Fleet): Promise<void> {
  const call = tenant.at(servers[0]!.url)
  const login = { login: tenant.administratorEmail, password: PASSWORD }
  const headers = { authorization: `Bearer ${(await call('POST', '/identity/login', login)).json.token}` }
  for (const eventType of ['signaturerequestcreated', 'signaturerequeststatusupdated', 'signaturerequestcompleted']) {
    const { status, text } = await call('POST', '/hooks/v1/subscription', { eventType, uri: receiver.url }, { headers })
    assert.equal(status, 202, text)
  }
}

/** Takes so many requests from creation to the last signature, each call at the next server in turn. Answers with their ids. */
export async function signMany({ tenant, servers }: Fleet, amount: number): Promise<string[]> {
  let turn = 0
  const next = () => servers[turn++ % servers.length]!.url
  return Promise.all(
    Array.from({ length: amount }, async () => {
      const id = await create(tenant.at(next()), { signingAuthenticationStrength: 'None' })
      const read = async () => (await tenant.at(next())('GET', `/signing/signaturerequest/${id}`)).json
      const within = { withinMs: CLOSED_WITHIN_MS, everyMs: 100 }
      const [signatory] = await until(
        'the invitation',
        async () => {
          const { signatories } = await read()
          return signatories[0].state === 'Invited' && (signatories as { id: string }[])
        },
        within,
      )
      await sign(tenant, { requestId: id, signatoryId: signatory!.id, first: next(), second: next() })
      await until('Closed', async () => (await read()).status === 'Closed', within)
      return id
    }),
  )
}

type Signing = { requestId: string; signatoryId: string; first: string; second: string }

/** The link is opened at one server and the signature is given at another. */
async function sign(tenant: MachineTenant, { requestId, signatoryId, first, second }: Signing): Promise<void> {
  const path = `/signing/signaturerequest/${requestId}/signatory/${signatoryId}/link`
  const browser = new Browser(first)
  const { status } = await browser.open((await tenant.at(first)('GET', path)).json.url)
  assert.equal(status, 204)
  const elsewhere = new Browser(second)
  elsewhere.cookie = browser.cookie
  const signed = await elsewhere.sign()
  assert.ok(signed.status < 300, signed.text)
}
