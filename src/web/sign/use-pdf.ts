import { useCallback, useEffect, useState } from 'react'
import type { Paper } from './pdf.ts'

/** Loads what shows documents, once, when the first one is to be shown or expected. */
export async function loadRenderer(): Promise<typeof import('./pdf.ts')> {
  const renderer = await import('./pdf.ts')
  renderer.warmUp()
  return renderer
}

export type ShownPdf = { kind: 'opening' } | { kind: 'open'; paper: Paper } | { kind: 'failed' }

/** Opens the document at an address; `again` is another try after a failure. */
export function usePdf(url: string): { shown: ShownPdf; again: () => void } {
  const [shown, setShown] = useState<ShownPdf>({ kind: 'opening' })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isWanted = true
    let opened: Paper | undefined
    setShown({ kind: 'opening' })
    const open = async () => {
      const paper = await (await loadRenderer()).openPdf(url)
      if (!isWanted) return paper.close()
      opened = paper
      setShown({ kind: 'open', paper })
    }
    open().catch(() => isWanted && setShown({ kind: 'failed' }))
    return () => {
      isWanted = false
      opened?.close()
    }
  }, [url, tries])
  return { shown, again: useCallback(() => setTries((before) => before + 1), []) }
}
