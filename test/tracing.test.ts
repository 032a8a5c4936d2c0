import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { makeLog } from '#platform/log/log.ts'
import { startTracing, type Tracing } from '#platform/tracing/open-telemetry.ts'
import { startOtlpReceiver, type OtlpReceiver } from './fakes/otlp-receiver.ts'
import { startMailServer, type MailServer } from './fakes/mail-server.ts'
import { startService, type TestService, type TestTenant } from './service.ts'
import { create } from './signature-requests.ts'
import { until } from './until.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'
const NAMES = { firstName: 'Canaryfirst', lastName: 'Canarylast', email: 'canary.person@example.com' }

describe('steps that are followed by OpenTelemetry', () => {
  let receiver: OtlpReceiver
  let mail: MailServer
  let deliveries = 0
  const hooks = createServer((_request, response) => {
    deliveries += 1
    response.end()
  })
  let service: TestService
  let acme: TestTenant
  let requestId: string
  let link: string

  const follow = (environment: Record<string, string> = {}): Tracing =>
    startTracing({ service: 'countersign-test', version: '1', environment, log: makeLog('silent', 'test') })

  before(async () => {
    receiver = await startOtlpReceiver()
    mail = await startMailServer()
    await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve))
    const { port } = hooks.address() as AddressInfo
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = receiver.url
    const environment = { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, COUNTERSIGN_ALLOW_INSECURE_HOOKS: 'true' }
    service = await startService(environment)
    const worker = service.startWorker({ delivers: true })
    acme = await service.createTenant('Acme')
    const tracing = follow()
    const subscription = {
      eventType: 'signatoryinvited',
      uri: `http://127.0.0.1:${port}/canary-path?token=canary-token`,
    }
    assert.equal((await acme.asAdministrator('POST', '/hooks/v1/subscription', subscription)).status, 202)
    requestId = await create(acme.call, { subject: 'Canary subject', signatories: [NAMES] })
    await until('the invitation', async () => mail.received.length > 0)
    await until('the delivery', async () => deliveries > 0)
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01` }
    const { json } = await acme.call('GET', `/signing/signaturerequest/${requestId}`, undefined, { headers })
    const { json: answer } = await acme.call(
      'GET',
      `/signing/signaturerequest/${requestId}/signatory/${json.signatories[0].id}/link`,
    )
    link = answer.url
    await acme.call('GET', '/signing/signaturerequest/not-an-id')
    await worker.stop()
    await tracing.stop()
  })
  after(async () => {
    delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT']
    await service.stop()
    hooks.close()
    await mail.stop()
    await receiver.stop()
  })

  const find = (name: string) => receiver.spans.filter((span) => span.name === name)

  test('are calls that come in, by their route, as children of the caller’s own', () => {
    const [span] = find('GET /signing/signaturerequest/:id').filter(({ traceId }) => traceId === TRACE)
    assert.equal(span?.parentSpanId, CALLER)
    assert.equal(span.kind, 2)
    assert.equal(span.service, 'countersign-test')
    const { 'countersign.request_id': id, ...attributes } = span.attributes
    assert.match(String(id), /^[\da-f-]{36}$/)
    assert.deepEqual(attributes, {
      'http.request.method': 'GET',
      'http.route': '/signing/signaturerequest/:id',
      'http.response.status_code': 200,
    })
  })

  test('are refusals too, which are no failures of ours', () => {
    const statuses = find('GET /signing/signaturerequest/:id').map((span) => [
      span.attributes['http.response.status_code'],
      span.hasFailed,
    ])
    assert.deepEqual(statuses, [
      [200, false],
      [400, false],
    ])
  })

  test('are jobs, with the calls that they make as their children', () => {
    const [sent] = find('send mail')
    assert.deepEqual(sent?.attributes, { 'server.address': '127.0.0.1' })
    const job = receiver.spans.find(({ spanId }) => spanId === sent.parentSpanId)
    assert.equal(job?.kind, 5)
    assert.equal(job.attributes['countersign.queue'], job.name)
    assert.equal(job.parentSpanId, '', 'a job begins a trace of its own')
  })

  test('are deliveries, by the receiver’s host alone', () => {
    const [delivery] = find('POST')
    assert.deepEqual(delivery?.attributes, {
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'http.response.status_code': 200,
    })
  })

  test('tell nothing of people, and no secret', () => {
    const everything = Buffer.concat(receiver.bodies).toString('latin1')
    assert.ok(receiver.spans.length > 5)
    const token = new URL(link).pathname.split('/').at(-1)!
    const secrets = [
      acme.key,
      token,
      requestId,
      ...Object.values(NAMES),
      'Canary subject',
      'canary-path',
      'canary-token',
    ]
    for (const secret of secrets) assert.ok(!everything.includes(secret), secret)
  })

  test('are kept in part, or not at all, where the sampler says so', async () => {
    receiver.spans.length = 0
    const tracing = follow({ OTEL_TRACES_SAMPLER: 'always_off' })
    await acme.call('GET', '/onboarding/department')
    await tracing.stop()
    assert.deepEqual(receiver.spans, [])
  })

  test('do not depend on the collector: while it is down, calls are answered and the end does not wait for it', async () => {
    receiver.isDown = true
    const tracing = follow()
    assert.equal((await acme.call('GET', '/onboarding/department')).status, 200)
    await tracing.stop()
  })

  test('are followed no more after the end', async () => {
    receiver.isDown = false
    await acme.call('GET', '/onboarding/department')
    const tracing = follow()
    await tracing.stop()
    assert.deepEqual(receiver.spans, [])
  })
})
