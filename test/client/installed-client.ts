// The client as others get it: built, packed by npm, and installed from the tarball into an empty folder.
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** There is nothing to fetch: the package has no dependency. */
const OFFLINE = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']

export async function installClient({ built, into }: { built: string; into: string }): Promise<void> {
  await run(process.execPath, ['tools/build-client.ts', built])
  const destination = dirname(built)
  const pack = ['pack', '--json', '--pack-destination', destination, built]
  const { stdout } = await run('npm', pack, { cwd: destination })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  mkdirSync(into, { recursive: true })
  writeFileSync(join(into, 'package.json'), '{ "private": true, "type": "module" }')
  await run('npm', ['install', ...OFFLINE, join(destination, filename)], { cwd: into })
  // What a program in TypeScript needs for Node itself; it is ours already, so that nothing is downloaded.
  for (const name of ['@types', 'undici-types'])
    symlinkSync(resolve('node_modules', name), join(into, 'node_modules', name))
}

/** Has the compiler read these files in the folder, strictly; throws with what it complains about. */
export async function compile(folder: string, files: string[]): Promise<void> {
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node']
  const compiler = resolve('node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, ...options, ...files], { cwd: folder }).catch((error: { stdout?: string }) => {
    throw new Error(error.stdout, { cause: error })
  })
}
