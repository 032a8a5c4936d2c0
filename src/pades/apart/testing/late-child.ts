// A reader that computes for a while over the first file, and answers the others at once.
import type { Answer } from '../child.ts'

let computesMs = 200

process.on('message', () => {
  const before = process.cpuUsage()
  while (process.cpuUsage(before).user < computesMs * 1000);
  computesMs = 0
  process.send!({ kind: 'problem', message: 'read' } satisfies Answer)
})
process.send!({ kind: 'ready' } satisfies Answer)
