// A collector for OpenTelemetry, small and real: takes spans by OTLP over HTTP, in protobuf, and reads them.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

export type ReceivedSpan = {
  service: string
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId: string
  attributes: Record<string, string | number>
  hasFailed: boolean
}

export type OtlpReceiver = {
  url: string
  spans: ReceivedSpan[]
  /** Every byte that came, for whoever looks for what must not be there. */
  bodies: Buffer[]
  /** Answers everything with 503 from now on. */
  isDown: boolean
  stop(): Promise<void>
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const isTaken = !receiver.isDown && request.method === 'POST' && request.url === '/v1/traces'
    if (isTaken) {
      const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
      receiver.bodies.push(bytes)
      receiver.spans.push(...readSpans(bytes))
    }
    response.writeHead(isTaken ? 200 : 503, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    bodies: [],
    isDown: false,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

// opentelemetry/proto/trace/v1/trace.proto: the numbers of its fields.
function readSpans(bytes: Buffer): ReceivedSpan[] {
  return messages(bytes, 1).flatMap((resourceSpans) => {
    const resource = messages(resourceSpans, 1).flatMap((resource) => messages(resource, 1))
    const service = String(readAttributes(resource)['service.name'])
    const spans = messages(resourceSpans, 2).flatMap((scope) => messages(scope, 2))
    return spans.map((span) => ({ service, ...readSpan(span) }))
  })
}

function readSpan(span: Buffer): Omit<ReceivedSpan, 'service'> {
  const [id, parent, trace, name, status] = [2, 4, 1, 5, 15].map((field) => messages(span, field)[0] ?? Buffer.alloc(0))
  return {
    name: name!.toString(),
    kind: numbers(span, 6)[0] ?? 0,
    traceId: trace!.toString('hex'),
    spanId: id!.toString('hex'),
    parentSpanId: parent!.toString('hex'),
    attributes: readAttributes(messages(span, 9)),
    hasFailed: numbers(status!, 3)[0] === 2,
  }
}

function readAttributes(pairs: Buffer[]): Record<string, string | number> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const value = messages(pair, 2)[0]!
      return [messages(pair, 1)[0]!.toString(), messages(value, 1)[0]?.toString() ?? numbers(value, 3)[0] ?? '']
    }),
  )
}

type Field = { number: number; value: Buffer | number }

const messages = (bytes: Buffer, number: number) =>
  fieldsOf(bytes).flatMap((field) => (field.number === number && Buffer.isBuffer(field.value) ? [field.value] : []))
const numbers = (bytes: Buffer, number: number) =>
  fieldsOf(bytes).flatMap((field) => (field.number === number && typeof field.value === 'number' ? [field.value] : []))

/** The wire format of protobuf: a key, then a number, eight or four bytes, or a length with what it measures. */
function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const readNumber = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]!
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const key = readNumber()
    const number = Math.floor(key / 8)
    const wireType = key % 8
    if (wireType === 0) fields.push({ number, value: readNumber() })
    else {
      const length = wireType === 2 ? readNumber() : wireType === 1 ? 8 : 4
      fields.push({ number, value: bytes.subarray(at, at + length) })
      at += length
    }
  }
  return fields
}
