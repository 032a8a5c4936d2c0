// Runs the tests: all of them, or those whose path contains one of the words given (`npm test -- pades`).
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { ensureWebBuilt } from '../src/main/web-build.ts'
import { splitIntoParts } from './test/parts.ts'
import { runSideBySide } from './test/side-by-side.ts'

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

const nodeArgs = ['--test', '--test-isolation=none', '--test-force-exit', '--test-global-setup=test/setup.ts']

if (words.length === 0 && availableParallelism() > 1) {
  // Here, because two processes that build them at once take them away from each other.
  await ensureWebBuilt(console.log)
  process.exitCode = (await runSideBySide(splitIntoParts(files), { atOnce: 2, nodeArgs })) ? 0 : 1
} else {
  const child = spawn(process.execPath, [...nodeArgs, ...files], { stdio: 'inherit' })
  child.on('exit', (code) => process.exit(code ?? 1))
}
