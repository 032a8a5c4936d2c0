// A reader that somebody ends while it reads.
import type { Answer } from '../child.ts'

process.on('message', ({ kind }: { kind: string }) => {
  process.kill(process.pid, kind === 'check' ? 'SIGKILL' : 'SIGTERM')
})
process.send!({ kind: 'ready' } satisfies Answer)
