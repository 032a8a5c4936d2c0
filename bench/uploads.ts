// Documents of 25 MiB inside JSON: how long other calls wait meanwhile, and how much memory sixteen at once take.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeCreation } from './creation.ts'
import { openBench } from './workbench.ts'

const MIB = 1024 * 1024

export async function measureUploads(): Promise<void> {
  const bench = await openBench()
  try {
    const { headers } = bench
    const origin = await bench.startServer('countersign')
    const pid = bench.pidOf('countersign')
    const body = JSON.stringify(makeCreation(25 * MIB - 1024))
    const upload = () =>
      fetch(`${origin}/onestepsigning/signaturerequest`, { method: 'POST', headers, body }).then(
        (reply) => reply.status,
      )
    const restMib = memoryMib(pid)

    const waits: number[] = []
    const running = new AbortController()
    let peakMib = 0
    const watch = (async () => {
      while (!running.signal.aborted) {
        const startedAt = performance.now()
        await fetch(`${origin}/user/profile/${bench.userId}`, { headers }).then((reply) => reply.text())
        waits.push(performance.now() - startedAt)
        peakMib = Math.max(peakMib, memoryMib(pid))
        await sleep(2)
      }
    })()
    const startedAt = performance.now()
    const statuses = await Promise.all(Array.from({ length: 16 }, upload))
    const tookMs = performance.now() - startedAt
    running.abort()
    await watch
    waits.sort((a, b) => a - b)
    const at = (share: number) => waits[Math.floor(waits.length * share)]!.toFixed(1)
    console.log(
      `\n16 documents of 25 MiB at once, as Base64 in JSON: ${statuses.filter((status) => status === 202).length} accepted in ${(tookMs / 1000).toFixed(1)} s`,
    )
    console.log(
      `other calls meanwhile (n = ${waits.length}): p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${waits.at(-1)!.toFixed(1)} ms (goal: blocked at most 50 ms)`,
    )
    console.log(
      `memory of the server: ${restMib.toFixed(0)} MiB at rest, ${peakMib.toFixed(0)} MiB at most (goal: under 1024 MiB)`,
    )
  } finally {
    await bench.close()
  }
}

function memoryMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}
