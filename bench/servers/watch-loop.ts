// Lets whoever started a server ask how long one turn of its event loop took at most.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { LongestTurn } from './messages.ts'

const loop = monitorEventLoopDelay({ resolution: 1 })
let longestTurnMs = 0
let usedMs = 0
let look: NodeJS.Timeout | undefined

/** What this thread has used of a processor: a turn of the loop that waits for its share of a busy machine does not count. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function watchTurns(): void {
  longestTurnMs = 0
  usedMs = processorMs()
  look = setInterval(() => {
    const before = usedMs
    usedMs = processorMs()
    longestTurnMs = Math.max(longestTurnMs, usedMs - before)
  }, 1)
}

/** Answers the two questions: to watch, and to tell. */
export function answerAboutLoop(): void {
  process.on('message', (question) => {
    if (question === 'watch the loop') {
      loop.reset()
      loop.enable()
      watchTurns()
      process.send!(true)
    }
    if (question === 'tell the longest turn') {
      loop.disable()
      clearInterval(look)
      process.send!({ ms: loop.max / 1e6, processorMs: longestTurnMs } satisfies LongestTurn)
    }
  })
}
