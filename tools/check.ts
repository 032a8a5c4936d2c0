// What CI runs after `npm ci`: types, lint, format, generated files and every test. Stops at the first that fails.
import { spawnSync } from 'node:child_process'

const steps: [name: string, command: string, args: string[]][] = [
  ['types', 'tsc', ['--noEmit']],
  ['types of the pages', 'tsc', ['--noEmit', '--project', 'src/web']],
  ['types of the client', 'tsc', ['--noEmit', '--project', 'client']],
  ['lint', 'oxlint', ['--deny-warnings']],
  ['format', 'oxfmt', ['--check']],
  ['tests', process.execPath, ['tools/test.ts']],
]

for (const [name, command, args] of steps) {
  const startedAt = Date.now()
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  if (error || status !== 0) {
    console.error(`check: ${name} failed after ${seconds} s${error ? ` (${error.message})` : ''}`)
    process.exit(1)
  }
  console.log(`check: ${name} passed in ${seconds} s`)
}
