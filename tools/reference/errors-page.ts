// docs/errors.md: every code with its one meaning.
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { AppError, CLASSIFICATIONS, listErrorKinds, type ErrorKind } from '#platform/errors.ts'
import { statusOf } from '#platform/http/edge-errors.ts'
import { markdownTable } from './markdown-table.ts'

export const ERRORS_PATH = 'docs/errors.md'

const INTRODUCTION = `# Errors

Written by \`npm run openapi\` from the code.

A refusal has the body \`{code, classification, message}\`. A code has one meaning and keeps it for good; the message tells the particulars (the field, and what would be right) and may be worded anew at any time. So programs look at \`code\` or \`classification\`, people read \`message\`.

The thousands of a code follow its classification, the hundreds its area: 0 the platform, 1 signature requests and archiving, 2 sealing, 3 metadata, 4 templates, 5 departments, users and login, 6 storage and validation, 7 events, 8 hooks, 9 messages.

The status is the one in the table, with two exceptions: the onboarding operations answer 401 instead of 403, and reading or deleting a webhook subscription answers 404 where it is not found.
`

/** The text of docs/errors.md. */
export async function writeErrorsPage(): Promise<string> {
  await loadErrorKinds()
  const kinds = listErrorKinds()
  const sections = Object.keys(CLASSIFICATIONS).map((classification) =>
    writeSection(
      classification,
      kinds.filter((kind) => kind.classification === classification),
    ),
  )
  return [INTRODUCTION, ...sections.filter((section) => section !== '')].join('\n')
}

/** A kind is known once its file has run, whether or not a route leads there yet. */
async function loadErrorKinds(): Promise<void> {
  const files = globSync('src/**/*.ts', { exclude: (path) => path.endsWith('.test.ts') }).sort()
  for (const file of files.filter((name) => /\berrorKind\(/.test(readFileSync(name, 'utf8')))) {
    await import(pathToFileURL(resolve(file)).href)
  }
}

function writeSection(classification: string, kinds: readonly ErrorKind[]): string {
  if (kinds.length === 0) return ''
  const rows = kinds.map((kind) => [String(kind.code), String(usualStatus(kind)), kind.meaning])
  return `## ${classification}\n\n${markdownTable(['Code', 'Status', 'Meaning'], rows)}\n`
}

function usualStatus({ classification, code }: ErrorKind): number {
  return statusOf(new AppError(classification, code, ''))
}
