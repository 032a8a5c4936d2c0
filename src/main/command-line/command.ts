// A command as a value: what it is for, what it takes, and what it does. The frame around it reads the arguments, prints
// the help and turns what went wrong into an exit code.
import type { Surroundings, Terminal } from './terminal.ts'

/** The exit codes of every command. */
export const EXIT = { good: 0, bad: 1, usage: 2, doubt: 3, nothing: 4 } as const

/** What they mean, wherever a command does not say it more exactly; docs/command-line.md has the same table. */
export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  [EXIT.good]: 'done; for checks: all is well',
  [EXIT.bad]: 'it failed; for checks: no',
  [EXIT.usage]: "asked wrongly: an argument that is unknown, missing or wrong, or a setting that can't be read",
  [EXIT.doubt]: 'for checks: nothing is wrong for certain, but something needs a look',
  [EXIT.nothing]: 'for `verify`: nobody has signed the file',
}

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export type Option = {
  about: string
  /** What stands for the value in the help; absent for a switch. */
  value?: string
}

export type Arguments = {
  /** In the order in which the usage names them. */
  positionals: readonly string[]
  /** The value of an option, undefined where it was not given. */
  text(name: string): string | undefined
  /** Whether a switch was given. */
  has(name: string): boolean
}

export type Command = {
  /** One line, for the list of commands. */
  purpose: string
  /** What it does, for its own help. */
  description: string
  /** Names of the positional arguments; a name in brackets may be left out. */
  positionals?: readonly string[]
  options?: Readonly<Record<string, Option>>
  /** Exit codes that this command gives a meaning of its own. */
  exitCodes?: Readonly<Partial<Record<ExitCode, string>>>
  /** Undefined: it goes on running, and ends the process itself. */
  run(terminal: Terminal, given: Arguments): Promise<ExitCode | undefined>
}

/** Commands about one kind of thing: `key create`, `key list`. */
export type CommandGroup = { purpose: string; commands: Readonly<Record<string, Command>> }

/** Reads its arguments itself. */
export type OpenCommand = {
  purpose: string
  runWith(args: string[], surroundings: Surroundings): Promise<ExitCode | undefined>
}

export type AnyCommand = Command | CommandGroup | OpenCommand

/** The command can't do what was asked, and says why in one sentence. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode
  /** What to do about it. */
  readonly fix: string | undefined

  constructor(message: string, { exitCode = EXIT.bad, fix }: { exitCode?: ExitCode; fix?: string } = {}) {
    super(message)
    this.name = 'CommandFailure'
    this.exitCode = exitCode
    this.fix = fix
  }
}

/** The arguments are not what the command takes; its usage is shown too. */
export class WrongUsage extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WrongUsage'
  }
}
