// What providers answer is small. More than this is not read.
import type { CustomFetch } from 'openid-client'
import { followCall, noteStatus } from '#platform/tracing/follow.ts'

const MOST_BYTES = 512 * 1024

/** Like fetch, but an answer beyond the limit is an error instead of memory. */
export const boundedFetch: CustomFetch = async (url, options) => {
  const called = { method: options.method ?? 'GET', url: new URL(url) }
  const response = await followCall(called, async (step) => {
    const answer = await fetch(url, { ...options, body: options.body ?? null })
    noteStatus(step, answer.status)
    return answer
  })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error(`${new URL(url).host} answered with more than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  const { status, headers } = response
  const hasBody = status !== 204 && status !== 304
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers })
}
