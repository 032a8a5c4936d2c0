// Calls a function in a process that can't open any more files, and tells the code that it fails with.
import { execFile } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const MOST_FILES = 200

/** The code of what the module's function rejects with. Throws where the process ends by it. */
export async function failOutOfFiles(module: URL, name: string, args: unknown[]): Promise<string> {
  const call = [fileURLToPath(import.meta.url), module.href, name, JSON.stringify(args)]
  const command = ['-c', `ulimit -n ${MOST_FILES} && exec "$@"`, 'sh', process.execPath, ...call]
  const { stdout } = await promisify(execFile)('sh', command, { timeout: 30_000 })
  return stdout.trim()
}

async function callOutOfFiles([module, name, args]: string[]): Promise<string> {
  const { [name!]: call } = (await import(module!)) as Record<string, (...args: unknown[]) => Promise<unknown>>
  const taken = takeAllFiles()
  try {
    await call!(...(JSON.parse(args!) as unknown[]))
    return 'no failure'
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  } finally {
    for (const file of taken) closeSync(file)
  }
}

function takeAllFiles(): number[] {
  const taken: number[] = []
  for (;;) {
    try {
      taken.push(openSync('/dev/null', 'r'))
    } catch {
      return taken
    }
  }
}

if (import.meta.main) console.log(await callOutOfFiles(process.argv.slice(2)))
