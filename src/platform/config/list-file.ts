// Settings that are too many for a variable: the variable names a file, and the file holds a JSON list.
import { readFileSync } from 'node:fs'
import type { EnvironmentReader } from './environment.ts'

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

export type Entry = {
  given: Record<string, unknown>
  /** The file that the entry stands in. */
  file: string
  /** Says what is wrong with the entry. */
  problem: (what: string) => void
}

/** The entries of the list that the variable leads to; none where it is not set. */
export function readListFile(
  env: EnvironmentReader,
  name: string,
  { most, things }: { most: number; things: string },
): Entry[] {
  const file = env.text(name)
  if (file === undefined) return []
  try {
    const entries: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (Array.isArray(entries) && entries.length > 0 && entries.length <= most) {
      return entries.map((entry: unknown, index) => ({
        given: Object(entry) as Record<string, unknown>,
        file,
        problem: (what) => env.problem(name, `${file}: [${index}] ${what}`),
      }))
    }
    env.problem(name, `${file} must be a JSON list of 1 to ${most} ${things}`)
  } catch (error) {
    env.problem(name, `${file} can't be read (${(error as NodeJS.ErrnoException).code ?? 'not JSON'})`)
  }
  return []
}

/** Whether the entry has a text in each of these fields; where not, that is a problem of it. */
export function hasTexts({ given, problem }: Entry, names: readonly string[]): boolean {
  const missing = names.filter((name) => !isText(given[name]))
  if (missing.length > 0) problem(`needs ${missing.join(', ')}`)
  return missing.length === 0
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 1000
}

/** Secrets travel to it: over TLS, or not over a network at all. */
export function isSafeAddress(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname))
}
