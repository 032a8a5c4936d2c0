// A reader that a file has taken over: it fills memory outside of the heap, never comes to an end, and tells first what
// it may do.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Answer } from '../child.ts'

const BLOCK_BYTES = 8 * 1024 * 1024

function attempt(what: () => unknown): string {
  try {
    return String(what())
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'refused'
  }
}

process.on('message', ({ kind }: { kind: string }) => {
  if (kind === 'check') {
    const message = JSON.stringify({
      environment: Object.keys(process.env).filter((name) => !name.startsWith('NODE_CHANNEL_')),
      read: attempt(() => readFileSync('/etc/passwd')),
      write: attempt(() => writeFileSync('/tmp/countersign-greedy', 'x')),
      start: attempt(() => execFileSync('/bin/true')),
    })
    process.send!({ kind: 'problem', message } satisfies Answer)
    return
  }
  const taken: Buffer[] = []
  for (;;) taken.push(Buffer.alloc(BLOCK_BYTES, 1))
})
process.send!({ kind: 'ready' } satisfies Answer)
