// Makes small calls again and again, to several servers beside each other, in a process of its own: so the time that a
// sender of large bodies is busy with itself does not count as a server's.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'

export type Probe = { urls: Record<string, string>; headers: Record<string, string> }
/** One call: when it began and ended, in milliseconds that mean the same in every process. */
export type Wait = { from: number; to: number }
export type Probed = Record<string, Wait[]>

const PAUSE_MS = 2
/** The first calls open connections, prepare statements and compile code. */
const WARM_UP = 200

process.on('disconnect', () => process.exit())
const [{ urls, headers }] = (await once(process, 'message')) as [Probe]
const agent = new Agent({ connections: 1 })
const stopped = new AbortController()
process.once('message', () => stopped.abort())

const now = () => performance.timeOrigin + performance.now()

async function call(url: string): Promise<Wait> {
  const from = now()
  const { body } = await request(url, { headers, dispatcher: agent })
  await body.text()
  return { from, to: now() }
}

const names = Object.entries(urls)
for (const [, url] of names) for (let count = 0; count < WARM_UP; count++) await call(url)
process.send!('running')

const probed: Probed = {}
await Promise.all(
  names.map(async ([name, url]) => {
    const waits: Wait[] = (probed[name] = [])
    while (!stopped.signal.aborted) {
      waits.push(await call(url))
      await sleep(PAUSE_MS)
    }
  }),
)
process.send!(probed)
