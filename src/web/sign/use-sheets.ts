import { useEffect, useState } from 'react'

type Sheets = typeof import('./sheets.ts')

/** The sheets, once they have arrived. Where that failed, wanting one is another try. */
export function useSheets(wanted: string | undefined): Sheets | undefined {
  const [sheets, setSheets] = useState<Sheets>()
  useEffect(() => {
    if (sheets !== undefined) return
    import('./sheets.ts').then(setSheets, () => {})
  }, [sheets, wanted])
  return sheets
}
