import { useCallback, useEffect, useState } from 'react'
import type { OpenedPdf, PDFDocumentProxy, PDFPageProxy } from './pdf.ts'

/** Loads the renderer, once, when the first document is to be shown or expected. */
export function loadRenderer(): Promise<typeof import('./pdf.ts')> {
  return import('./pdf.ts')
}

export type ShownPdf =
  | { kind: 'opening' }
  | { kind: 'open'; pdf: PDFDocumentProxy; first: PDFPageProxy }
  | { kind: 'failed' }

/** Opens the document at an address; `again` is another try after a failure. */
export function usePdf(url: string): { shown: ShownPdf; again: () => void } {
  const [shown, setShown] = useState<ShownPdf>({ kind: 'opening' })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isWanted = true
    let opened: OpenedPdf | undefined
    setShown({ kind: 'opening' })
    const open = async () => {
      opened = await (await loadRenderer()).openPdf(url)
      if (!isWanted) return opened.close()
      const first = await opened.pdf.getPage(1)
      if (isWanted) setShown({ kind: 'open', pdf: opened.pdf, first })
    }
    open().catch(() => isWanted && setShown({ kind: 'failed' }))
    return () => {
      isWanted = false
      opened?.close()
    }
  }, [url, tries])
  return { shown, again: useCallback(() => setTries((before) => before + 1), []) }
}
