#!/usr/bin/env node
// The command `countersign`. Each subcommand is one file in src/main, which reads its own arguments.
import { launch } from './launch.js'

const COMMANDS = {
  start: 'run everything: database, server and worker',
  serve: 'run the server alone',
  work: 'run the worker alone',
  migrate: 'bring the database up to date',
  history: 'verify the history of a signature request, or audit them all',
}

const USAGE = `Usage: countersign <command> [options]

Commands:
${Object.entries(COMMANDS)
  .map(([name, purpose]) => `  ${name.padEnd(9)} ${purpose}`)
  .join('\n')}

countersign <command> --help tells more.`

const command = process.argv[2]

if (command === '--help' || command === '-h' || command === 'help') {
  console.log(USAGE)
} else if (command === undefined || !Object.hasOwn(COMMANDS, command)) {
  console.error(
    command === undefined ? USAGE : `countersign: there is no command ${JSON.stringify(command)}\n\n${USAGE}`,
  )
  process.exitCode = 2
} else {
  await launch(new URL(`../src/main/${command}.ts`, import.meta.url), { dropArguments: 1 })
}
