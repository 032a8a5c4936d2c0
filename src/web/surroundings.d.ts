// What the build gives to the pages beside their own modules.

/** Where the PDF renderer's own data files lie (worker, character maps, fonts, decoders). */
declare const PDF_DATA: string

/** Modules by a pattern of their paths, each loaded when it is asked for. */
interface ImportMeta {
  glob<Module>(pattern: string): Record<string, () => Promise<Module>>
}

declare module '*.css'
declare module 'react-dom/client' {
  import type { ReactNode } from 'react'
  export function createRoot(container: Element): { render(node: ReactNode): void }
}
