// Our own timestamps are only as good as this machine's clock, so the machine is asked whether anybody keeps it right.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Environment } from '#platform/config/environment.ts'
import { good, look, type Finding } from './finding.ts'

const run = promisify(execFile)
const WITHIN_MS = 5_000

/** Whether the machine's clock is kept by NTP, as far as the machine can tell. */
export async function checkClock({ PATH }: Environment): Promise<Finding> {
  const isKept = await isKeptByNetwork(PATH)
  if (isKept === undefined) return good('clock', 'the machine does not say whether it is synchronised')
  if (isKept) return good('clock', 'synchronised by NTP')
  return look('clock', 'not synchronised', 'Switch on NTP: timedatectl set-ntp true (or install chrony)')
}

/** Undefined where systemd does not run, as in containers: their clock is that of the machine around them. */
async function isKeptByNetwork(path: string | undefined): Promise<boolean | undefined> {
  try {
    const args = ['show', '--property=NTPSynchronized', '--value']
    const { stdout } = await run('timedatectl', args, { env: { PATH: path }, timeout: WITHIN_MS })
    return stdout.trim() === 'yes'
  } catch {
    return undefined
  }
}
