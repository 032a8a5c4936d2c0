// The command `countersign`.
import { runCommandLine } from './command-line/run-command.ts'
import { COMMANDS } from './commands/index.ts'

const exitCode = await runCommandLine(COMMANDS, process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isInteractive: process.stderr.isTTY,
  environment: process.env,
})
if (exitCode !== undefined) process.exitCode = exitCode
