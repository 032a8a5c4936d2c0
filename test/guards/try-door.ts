// Plants a mistake and runs the test that has to notice it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { PLANT_VARIABLE } from '../crash/plants.ts'
import type { OpenDoor } from './open-doors.ts'

export type Verdict = { isNoticed: boolean; output: string }

/** Whether the test that is to notice the mistake fails with it. Another failure does not count. */
export async function tryDoor({ name, test }: OpenDoor): Promise<Verdict> {
  const preload = pathToFileURL('test/crash/plant.ts').href
  const env = { ...process.env, [PLANT_VARIABLE]: name, NODE_OPTIONS: `--import=${preload}` }
  const child = spawn(process.execPath, ['tools/test.ts', test.file], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { isNoticed: listFailures(output).some((failed) => failed.includes(test.name)), output }
}

/** The names of tests and suites that the runner calls failed. */
export function listFailures(output: string): string[] {
  return [...output.matchAll(/^\s*✖ (.+?)(?: \([\d.]+ms\))?$/gm)].map(([, name]) => name!)
}
