// Makes a small call again and again, in a process of its own: so the time that a sender of large bodies is busy with
// itself does not count as the server's.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'

export type Probe = { url: string; headers: Record<string, string> }

const PAUSE_MS = 2

process.on('disconnect', () => process.exit())
const [{ url, headers }] = (await once(process, 'message')) as [Probe]
const agent = new Agent({ connections: 1 })
const stopped = new AbortController()
process.once('message', () => stopped.abort())

const waitsMs: number[] = []
for (let calls = 0; !stopped.signal.aborted; calls++) {
  const startedAt = performance.now()
  const { body } = await request(url, { headers, dispatcher: agent })
  await body.text()
  waitsMs.push(performance.now() - startedAt)
  if (calls === 0) process.send!('running')
  await sleep(PAUSE_MS)
}
process.send!(waitsMs)
