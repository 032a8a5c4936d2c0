// What happens, as it happens: the stream of events, taken up again where it broke off.
import type { CallOptions } from './call.ts'
import { CountersignError } from './errors.ts'
import type { FeedEvent, Operations } from './generated/types.ts'
import { wait } from './retries.ts'

/** An event, and the cursor to go on from behind it: keep that, and a restart of your program misses nothing. */
export type FollowedEvent = FeedEvent & { cursor: string }

/** Every event from now on, or after a cursor, without end. A signal ends it; so does a refusal of the service. */
export type Follow = (
  input?: { after?: string },
  options?: CallOptions,
) => AsyncGenerator<FollowedEvent, void, undefined>

const CONNECT_AGAIN_MS = 2_000
/** The service says something every 15 seconds; a connection that is silent for longer is dead. */
const LONGEST_SILENCE_MS = 45_000

export function followEvents(operations: Operations): Follow {
  return async function* follow({ after = 'now' } = {}, options = {}) {
    for (let cursor = after; ; await wait(CONNECT_AGAIN_MS, options.signal)) {
      try {
        const { body } = await operations.streamEvents({ after: cursor }, options)
        for await (const { id, data } of readMessages(body!)) {
          cursor = id ?? cursor
          if (data !== undefined) yield { ...(JSON.parse(data) as FeedEvent), cursor }
        }
      } catch (error) {
        options.signal?.throwIfAborted()
        if (error instanceof CountersignError) throw error
      }
    }
  }
}

type Message = { id: string | undefined; data: string | undefined }

/** HTML Living Standard 9.2, as far as the service uses it: an id, one line of data, comments. */
async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await readSoon(reader)
      if (done) return
      const messages = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = messages.pop()!
      for (const message of messages) yield { id: fieldOf(message, 'id'), data: fieldOf(message, 'data') }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function fieldOf(message: string, name: string): string | undefined {
  return message
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)
}

async function readSoon(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timeout: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timeout = setTimeout(() => reject(new Error('The stream is silent.')), LONGEST_SILENCE_MS)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } finally {
    clearTimeout(timeout)
  }
}
