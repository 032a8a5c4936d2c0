// The help of the command line, written from the commands themselves.
import { EXIT, EXIT_MEANINGS, type AnyCommand, type Command, type CommandGroup } from './command.ts'

const NAME = 'countersign'
const WIDTH = 100

const COMMON_OPTIONS = {
  json: { about: 'Answer in JSON, for programs.' },
  help: { about: 'Show this help.' },
} as const

/** Every command may end with these. */
const USUAL_EXIT_CODES = {
  [EXIT.good]: 'done',
  [EXIT.bad]: 'it failed',
  [EXIT.usage]: EXIT_MEANINGS[EXIT.usage],
}

export function writeOverview(commands: Readonly<Record<string, AnyCommand>>): string {
  return [
    `Usage: ${NAME} COMMAND [options]`,
    '',
    'Commands:',
    ...listPurposes(commands),
    '',
    `${NAME} COMMAND --help tells more. Settings come from the environment; .env.example lists them.`,
  ].join('\n')
}

export function writeGroupHelp(name: string, { purpose, commands }: CommandGroup): string {
  return [
    `Usage: ${NAME} ${name} COMMAND [options]`,
    '',
    sentence(purpose),
    '',
    'Commands:',
    ...listPurposes(commands),
    '',
    `${NAME} ${name} COMMAND --help tells more.`,
  ].join('\n')
}

export function writeUsage(name: string, { positionals = [] }: Pick<Command, 'positionals'>): string {
  return ['Usage:', NAME, name, ...positionals, '[options]'].join(' ')
}

export function writeHelp(name: string, command: Command): string {
  const options = { ...command.options, ...COMMON_OPTIONS }
  const rows = Object.entries(options).map(
    ([option, { about, value }]: [string, { about: string; value?: string }]) =>
      [`--${option}${value === undefined ? '' : ` ${value}`}`, about] as const,
  )
  const codes = Object.entries({ ...USUAL_EXIT_CODES, ...command.exitCodes })
  return [
    writeUsage(name, command),
    '',
    ...wrap(command.description, WIDTH),
    '',
    'Options:',
    ...listPairs(rows),
    '',
    'Exit codes:',
    ...listPairs(codes),
  ].join('\n')
}

function listPurposes(commands: Readonly<Record<string, { purpose: string }>>): string[] {
  return listPairs(Object.entries(commands).map(([name, { purpose }]) => [name, purpose]))
}

function listPairs(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...pairs.map(([left]) => left.length))
  return pairs.flatMap(([left, right]) =>
    wrap(right, WIDTH - width - 4).map((line, index) => `  ${(index === 0 ? left : '').padEnd(width)}  ${line}`),
  )
}

function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = ['']
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1)!
      if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
      else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
    }
    return lines
  })
}

const sentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}.`
