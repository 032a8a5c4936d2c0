// Makes the client's package in dist/client, or in the folder given: what `npm publish` or `npm pack` would take from
// there, as plain JavaScript with its types beside it.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const FILES = ['client/package.json', 'client/README.md', 'LICENSE']
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
const folder = resolve(process.argv[2] ?? join(ROOT, 'dist', 'client'))

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const file of FILES) cpSync(join(ROOT, file), join(folder, file.split('/').at(-1)!))
const emit = ['--noEmit', 'false', '--declaration', '--outDir', join(folder, 'dist')]
const { status } = spawnSync(process.execPath, [compiler, '--project', join(ROOT, 'client'), ...emit], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(1)
console.log(`Wrote ${folder}.`)
