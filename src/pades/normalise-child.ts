// Runs in a process of its own with little memory and few rights: reads a damaged document as leniently as it can and
// writes it anew from first to last byte. Its exit code is its answer.
import { readFileSync, writeFileSync } from 'node:fs'
import { PDF, PermissionDeniedError } from '@libpdf/core'
import { EXIT } from './normalise-exit.ts'

async function rewrite(from: string, to: string): Promise<number> {
  const pdf = await PDF.load(readFileSync(from))
  if (pdf.isEncrypted && !pdf.isAuthenticated) return EXIT.needsPassword
  if (pdf.isEncrypted) pdf.removeProtection()
  if (pdf.getPageCount() === 0) return EXIT.notRepairable
  // The library hands back what it was given unless something has changed, so an entry is set to what it is.
  const catalog = pdf.getCatalog()
  const pages = catalog.get('Pages')
  if (pages === undefined) return EXIT.notRepairable
  catalog.set('Pages', pages)
  // There are no signatures here, so what is left in it are usage rights.
  catalog.delete('Perms')
  writeFileSync(to, await pdf.save({ incremental: false }))
  return EXIT.done
}

if (import.meta.main) {
  const [from = '', to = ''] = process.argv.slice(2)
  try {
    process.exitCode = await rewrite(from, to)
  } catch (error) {
    console.error(error instanceof Error ? error.message.slice(0, 500) : 'unknown')
    process.exitCode = error instanceof PermissionDeniedError ? EXIT.isProtected : EXIT.notRepairable
  }
}
