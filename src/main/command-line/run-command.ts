// From the words of a command line to an exit code.
import { parseArgs } from 'node:util'
import { ConfigurationError } from '#platform/config/environment.ts'
import { EmbeddedPostgresError } from '#platform/db/embedded/embedded-postgres.ts'
import { AppError } from '#platform/errors.ts'
import {
  CommandFailure,
  EXIT,
  WrongUsage,
  type AnyCommand,
  type Arguments,
  type Command,
  type ExitCode,
  type Option,
} from './command.ts'
import { writeGroupHelp, writeHelp, writeOverview, writeUsage } from './help.ts'
import { makeTerminal, type Surroundings, type Terminal } from './terminal.ts'

export type CommandTable = Readonly<Record<string, AnyCommand>>

const HELP = new Set(['--help', '-h', 'help'])

/** Runs what the arguments ask for. Undefined: it goes on, and ends the process itself. */
export async function runCommandLine(
  commands: CommandTable,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode | undefined> {
  const [name, ...rest] = args
  const print = (text: string) => surroundings.out(`${text}\n`)
  const refuse = (text: string) => {
    surroundings.err(`${text}\n`)
    return EXIT.usage
  }
  if (name === undefined) return refuse(writeOverview(commands))
  if (HELP.has(name)) {
    print(writeOverview(commands))
    return EXIT.good
  }
  const found = Object.hasOwn(commands, name) ? commands[name]! : undefined
  if (found === undefined) {
    return refuse(`countersign: there is no command ${JSON.stringify(name)}\n\n${writeOverview(commands)}`)
  }
  if ('runWith' in found) return found.runWith(rest, surroundings)
  if ('run' in found) return runOne(name, found, rest, surroundings)

  const [verb, ...others] = rest
  if (verb !== undefined && HELP.has(verb)) {
    print(writeGroupHelp(name, found))
    return EXIT.good
  }
  const command = verb !== undefined && Object.hasOwn(found.commands, verb) ? found.commands[verb] : undefined
  if (command !== undefined) return runOne(`${name} ${verb}`, command, others, surroundings)
  const what = verb === undefined ? 'what to do is missing' : `there is no ${JSON.stringify(verb)} here`
  return refuse(`countersign: ${what}\n\n${writeGroupHelp(name, found)}`)
}

async function runOne(
  name: string,
  command: Command,
  args: string[],
  surroundings: Surroundings,
): Promise<ExitCode | undefined> {
  if (args.some((word) => word === '--help' || word === '-h')) {
    surroundings.out(`${writeHelp(name, command)}\n`)
    return EXIT.good
  }
  const terminal = makeTerminal(surroundings, args.includes('--json'))
  try {
    return await command.run(terminal, readArguments(command, args))
  } catch (error) {
    return explain(error, { name, command, terminal })
  }
}

/** Holds the arguments against what the command takes; anything else is refused rather than ignored. */
export function readArguments(command: Command, args: string[]): Arguments {
  const { positionals: names = [], options = {} } = command
  const all: Readonly<Record<string, Option>> = { ...options, json: { about: '' } }
  const known: Known = {}
  for (const [option, { value }] of Object.entries(all))
    known[option] = { type: value === undefined ? 'boolean' : 'string' }
  const { values, positionals } = parse(args, known)
  const least = names.filter((word) => !word.startsWith('[')).length
  if (positionals.length < least) throw new WrongUsage(`${names[positionals.length]} is missing`)
  if (positionals.length > names.length)
    throw new WrongUsage(`${JSON.stringify(positionals[names.length])} is too much`)
  return {
    positionals,
    text: (option) => values[option] as string | undefined,
    has: (option) => values[option] === true,
  }
}

type Known = Record<string, { type: 'string' | 'boolean' }>

function parse(args: string[], options: Known) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    // Its first sentence says what; the rest explains parseArgs.
    throw new WrongUsage((error as Error).message.split('. ')[0]!)
  }
}

type Situation = { name: string; command: Command; terminal: Terminal }

function explain(error: unknown, { name, command, terminal }: Situation): ExitCode {
  if (error instanceof WrongUsage) {
    return fail(
      terminal,
      EXIT.usage,
      [error.message],
      [writeUsage(name, command), `countersign ${name} --help tells more.`],
    )
  }
  if (error instanceof ConfigurationError) return fail(terminal, EXIT.usage, error.problems)
  if (error instanceof CommandFailure) {
    return fail(terminal, error.exitCode, [error.message], error.fix === undefined ? [] : [error.fix])
  }
  if (error instanceof AppError) {
    const isAskedWrongly = error.classification === 'InvalidArgument'
    return fail(terminal, isAskedWrongly ? EXIT.usage : EXIT.bad, [error.message])
  }
  if (error instanceof EmbeddedPostgresError) return fail(terminal, EXIT.bad, [error.message])
  const { code, message } = error as NodeJS.ErrnoException
  // Files that are not there and servers that do not answer are the world's doing; the rest is ours, and says where.
  if (code === undefined) throw error
  return fail(terminal, EXIT.bad, [message === '' ? code : message])
}

function fail(terminal: Terminal, exitCode: ExitCode, problems: readonly string[], advice: readonly string[] = []) {
  if (terminal.isJson) terminal.answer({ error: problems.join('; '), fix: advice.join(' ') || null }, '')
  else for (const line of [...problems.map((problem) => `countersign: ${problem}`), ...advice]) terminal.note(line)
  return exitCode
}
