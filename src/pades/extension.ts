// Tells readers of PDF 1.7 that the document uses ETSI's additions to it (ISO 32000-2, 7.12; EN 319 142-1, 5.6).
import type { Update } from './update.ts'

/** Adds the entry where the document is of version 1.7 and has none; other versions need none or may not have it. */
export async function noteExtension(update: Update): Promise<void> {
  const { reader } = update
  if ((await reader.version()) !== '1.7') return
  const known = await reader.findDict(await reader.catalog(), 'Extensions')
  if (known?.entries.has('ESIC') === true) return
  const extensions = await update.childDict(await update.editDict(reader.rootRef), 'Extensions')
  extensions.set('ESIC', '<< /BaseVersion /1.7 /ExtensionLevel 2 >>')
}
