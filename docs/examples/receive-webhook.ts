// Receives webhooks, believes those that are signed, and prints what happened.
// usage: SECRET=whsec_… PORT=9000 node receive-webhook.ts
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, WebhookError } from '@countersign/client'

const seen = new Set<string>()

const server = createServer(async (request, response) => {
  try {
    const body = await buffer(request) // the bytes as they arrived, before any parser
    const event = await verifyWebhook({ headers: request.headers, body, secret: process.env.SECRET ?? '' })
    // Answer first and work afterwards: the service waits 15 seconds, and then sends it again.
    response.writeHead(204).end()
    if (seen.has(event.id)) return
    seen.add(event.id)
    console.log(`${event.EventType} ${JSON.stringify(event.EventData)}`)
  } catch (error) {
    response.writeHead(error instanceof WebhookError ? 400 : 500).end()
    console.error(String(error))
  }
})
server.listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () => console.log('Listening'))
