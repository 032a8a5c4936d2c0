// Runs the tests: all of them, or those whose path contains one of the words given (`npm test -- pades`).
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'

const words = process.argv.slice(2)
const files = globSync('{src,client,test,tools,bench}/**/*.test.ts', {
  exclude: (path) => path.includes('node_modules'),
})
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort()

if (files.length === 0) {
  console.error(`No test file matches ${words.join(' ')}.`)
  process.exit(1)
}

const child = spawn(
  process.execPath,
  ['--test', '--test-isolation=none', '--test-force-exit', '--test-global-setup=test/setup.ts', ...files],
  { stdio: 'inherit' },
)
child.on('exit', (code) => process.exit(code ?? 1))
