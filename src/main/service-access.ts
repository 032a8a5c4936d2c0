// How commands reach a service that runs: its address, and a subscription key that never stands on the command line.
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, ConnectionError, CountersignError, type Countersign } from '#client'
import { readConfig } from '#platform/config/config.ts'
import { publicAddress } from '#platform/config/public-address.ts'
import { CommandFailure, EXIT, type Arguments } from './command-line/command.ts'
import type { Terminal } from './command-line/terminal.ts'
import { FIRST_START_FILE } from './first-start.ts'

export const SERVICE_OPTIONS = {
  url: {
    value: 'URL',
    about: 'Where the service answers. Default: as the environment says, or http://127.0.0.1:8080.',
  },
  'key-file': {
    value: 'FILE',
    about:
      'A file whose first line is a subscription key. Default: COUNTERSIGN_SUBSCRIPTION_KEY, or what the first start ' +
      'wrote down in the data directory.',
  },
} as const

export type Service = { url: string; countersign: Countersign }

/** The service that the arguments and the environment name. Nothing is sent yet. */
export async function reachService({ environment }: Terminal, given: Arguments): Promise<Service> {
  const config = readConfig(environment)
  const url = (given.text('url') ?? publicAddress(config)).replace(/\/+$/, '')
  if (!/^https?:\/\/[^/]/.test(url)) {
    throw new CommandFailure('--url must start with https:// or http://', { exitCode: EXIT.usage })
  }
  const file = given.text('key-file')
  const key =
    file === undefined
      ? (config.firstStart.subscriptionKey ?? keyOfFirstStart(config.dataDir))
      : (await readFile(file, 'utf8')).split(/\r?\n/)[0]!.trim()
  if (key === undefined || key === '') {
    throw new CommandFailure('a subscription key is needed', {
      exitCode: EXIT.usage,
      fix: 'Name its file with --key-file, or set COUNTERSIGN_SUBSCRIPTION_KEY. `countersign key create` makes one.',
    })
  }
  return { url, countersign: connect({ url, key }) }
}

function keyOfFirstStart(dataDir: string): string | undefined {
  const file = join(dataDir, FIRST_START_FILE)
  if (!existsSync(file)) return undefined
  return /^subscription key\s+(\S+)$/m.exec(readFileSync(file, 'utf8'))?.[1]
}

/** Runs `work`; what the service refuses, or that it does not answer, becomes a sentence. */
export async function onService<T>({ url }: Service, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CountersignError) {
      throw new CommandFailure(`the service refuses: ${error.message}`, {
        ...(error.requestId !== undefined && { fix: `Its log knows the call as ${error.requestId}.` }),
      })
    }
    if (error instanceof ConnectionError) {
      throw new CommandFailure(`no service answers at ${url}`, { fix: 'Start it, or name another with --url.' })
    }
    throw error
  }
}
