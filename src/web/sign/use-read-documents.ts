// Which documents have been read to their end. Kept for this tab, so that coming back does not start again.
import { useState } from 'react'
import type { ShownDocument } from './signer-api.ts'

const KEY = 'countersign-read'

export type ReadDocuments = { isRead: (document: ShownDocument) => boolean; setRead: (document: ShownDocument) => void }

export function useReadDocuments(): ReadDocuments {
  const [read, setRead] = useState(recall)
  return {
    isRead: ({ sha256 }) => read.has(sha256),
    setRead: ({ sha256 }) =>
      setRead((before) => {
        if (before.has(sha256)) return before
        const now = new Set([...before, sha256])
        remember(now)
        return now
      }),
  }
}

/** Browsers may forbid storage; the page works without. */
function recall(): ReadonlySet<string> {
  try {
    return new Set((sessionStorage.getItem(KEY) ?? '').split(' '))
  } catch {
    return new Set()
  }
}

function remember(read: ReadonlySet<string>): void {
  try {
    sessionStorage.setItem(KEY, [...read].join(' '))
  } catch {
    // Then it is forgotten with the page.
  }
}
