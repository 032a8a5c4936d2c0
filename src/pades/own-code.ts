import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** What a process that runs nothing but this engine has to read: its code, and nothing beside it. */
export function engineFolders(): string[] {
  return [here('./'), here('../pki/'), here('../../package.json')]
}

/** The same with the libraries, wherever they are really installed. */
export function engineAndLibraryFolders(): string[] {
  const library = realpathSync(fileURLToPath(import.meta.resolve('@libpdf/core')))
  const end = library.lastIndexOf(`${sep}node_modules${sep}`) + sep.length + 'node_modules'.length
  return [...engineFolders(), here('../../node_modules'), library.slice(0, end)]
}
