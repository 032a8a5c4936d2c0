// Makes a small call again and again, in a process of its own: so the time that a sender of large bodies is busy with
// itself does not count as the server's.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'

export type Probe = { url: string; headers: Record<string, string> }
export type Probed = { waitsMs: number[]; latestMs: number }

const PAUSE_MS = 2

process.on('disconnect', () => process.exit())
const [{ url, headers }] = (await once(process, 'message')) as [Probe]
const agent = new Agent({ connections: 1 })
const stopped = new AbortController()
process.once('message', () => stopped.abort())

const waitsMs: number[] = []
// How late a process that only sleeps is woken: what the machine itself adds to every wait.
let latestMs = 0
for (let calls = 0; !stopped.signal.aborted; calls++) {
  const startedAt = performance.now()
  const { body } = await request(url, { headers, dispatcher: agent })
  await body.text()
  waitsMs.push(performance.now() - startedAt)
  if (calls === 0) process.send!('running')
  const sleptAt = performance.now()
  await sleep(PAUSE_MS)
  latestMs = Math.max(latestMs, performance.now() - sleptAt - PAUSE_MS)
}
process.send!({ waitsMs, latestMs } satisfies Probed)
