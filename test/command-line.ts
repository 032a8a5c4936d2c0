// The command line inside the test's process: the same commands, with an environment and a terminal of the test's own.
import { runCommandLine } from '#main/command-line/run-command.ts'
import { COMMANDS } from '#main/commands/index.ts'
import type { TestService } from './service.ts'

export type Outcome = {
  exitCode: number | undefined
  out: string
  err: string
  json: any // eslint-disable-line typescript/no-explicit-any
}

export type Shell = (...args: string[]) => Promise<Outcome>

/** Types commands with these variables. */
export function openShell(environment: Record<string, string | undefined> = {}): Shell {
  return async (...args) => {
    let [out, err] = ['', '']
    const exitCode = await runCommandLine(COMMANDS, args, {
      out: (text) => (out += text),
      err: (text) => (err += text),
      isInteractive: false,
      environment,
    })
    return { exitCode, out, err, json: args.includes('--json') ? JSON.parse(out) : undefined }
  }
}

/** The variables of somebody who looks after the installation of a test's service. */
export function environmentOf({ platform, database, secretKey }: TestService): Record<string, string> {
  const { host, port, user, password } = database.connection as Record<string, string>
  const address = `${user}:${password}@/${database.name}?host=${encodeURIComponent(host!)}&port=${port}`
  return {
    DATABASE_URL: `postgres://${address}`,
    COUNTERSIGN_SECRET_KEY: secretKey,
    COUNTERSIGN_DATA: platform.config.dataDir,
  }
}
