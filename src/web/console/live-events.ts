// What happens, as it happens: the service's stream of events, read for as long as somebody looks at the page.
import { useEffect, useRef } from 'react'
import { isAttended } from './attendance.ts'
import { service } from './service.ts'

export type LiveEvent = { eventType: string; requestKind: string; requestId: string }

type Listener = { onEvent: (event: LiveEvent) => void; onGap: () => void }

const LOOK_EVERY_MS = 3_000

/** Tells every event from now on. After a gap, when something may have been missed, `onGap` is called. */
export function useLiveEvents({ onEvent, onGap }: Listener): void {
  const listener = useRef({ onEvent, onGap })
  listener.current = { onEvent, onGap }
  useEffect(() => {
    const abort = new AbortController()
    void follow(abort.signal, {
      onEvent: (event) => listener.current.onEvent(event),
      onGap: () => listener.current.onGap(),
    })
    return () => abort.abort()
  }, [])
}

async function follow(signal: AbortSignal, listener: Listener): Promise<void> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    if (isAttended()) await readOnce(signal, listener, isFirst)
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/** One connection, until it breaks or nobody looks any more: a page that is left alone must not keep its session alive. */
async function readOnce(signal: AbortSignal, { onEvent, onGap }: Listener, isFirst: boolean): Promise<void> {
  const unattended = new AbortController()
  const timer = setInterval(() => isAttended() || unattended.abort(), LOOK_EVERY_MS)
  try {
    const answer = await service.streamEvents({}, { signal: AbortSignal.any([signal, unattended.signal]) })
    if (!isFirst) onGap()
    for await (const event of readEvents(answer.body!)) onEvent(event)
  } catch {
    // Broken off, by us or on the way: it is made again, or there is nobody to read it.
  } finally {
    clearInterval(timer)
  }
}

/** HTML Living Standard 9.2.6: a frame ends with an empty line; only its data is of interest here. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let pending = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    const frames = (pending + decoder.decode(value, { stream: true })).split('\n\n')
    pending = frames.pop()!
    for (const frame of frames) {
      const data = frame.split('\n').find((line) => line.startsWith('data: '))
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length)) as LiveEvent
    }
  }
}
