// The limit for creation: node:http, the same parse, the same durable write, one insert. No validation, no events.
// A GET is a small call: one select.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import pg from 'pg'
import { receiveSetup, reportUrl } from './messages.ts'
import { answerAboutLoop } from './watch-loop.ts'

const { connection, folder, tenantId } = await receiveSetup()
const pool = new pg.Pool({ ...connection, max: 10 })
await pool.query(
  'create table if not exists bare_request (tenant_id uuid, id uuid, subject text, sha256 text, primary key (tenant_id, id))',
)
const target = `${folder}/bare`
await mkdir(target, { recursive: true })

async function store(bytes: Buffer): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const staged = `${target}/${randomUUID()}`
  const file = await open(staged, 'wx')
  await file.write(bytes)
  await file.sync()
  await file.close()
  await rename(staged, `${target}/${sha256}`)
  const directory = await open(target)
  await directory.sync()
  await directory.close()
  return sha256
}

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    await pool.query({ name: 'look', text: 'select subject from bare_request limit 1' })
    response.end()
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', async () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as {
      subject: string
      documents: { contentBase64: string }[]
    }
    const sha256 = await store(Buffer.from(body.documents[0]!.contentBase64, 'base64'))
    const id = randomUUID()
    await pool.query({
      name: 'insert',
      text: 'insert into bare_request (tenant_id, id, subject, sha256) values ($1, $2, $3, $4)',
      values: [tenantId, id, body.subject, sha256],
    })
    response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ id }))
  })
})
server.listen(0, '127.0.0.1', () => reportUrl(`http://127.0.0.1:${(server.address() as { port: number }).port}`))
answerAboutLoop()
