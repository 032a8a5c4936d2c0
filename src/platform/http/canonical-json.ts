// RFC 8785: one spelling for a JSON value, so that two bodies that mean the same have the same fingerprint.
import { createHash } from 'node:crypto'
import { DocumentContent } from './document-content.ts'

export function canonicalJson(value: unknown): string {
  if (value instanceof DocumentContent) return JSON.stringify(`sha256:${value.staged.sha256}`)
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    // Default sort compares UTF-16 code units, as RFC 8785 3.2.3 asks.
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join(',')}}`
  }
  return JSON.stringify(value ?? null)
}

export function fingerprint(value: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(value)).digest()
}
