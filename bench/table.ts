// The one table that a run ends with: each line beside its peer or its limit.

export type Line = {
  what: string
  /** What was measured, with its unit. */
  ours: string
  /** The peer's figure of the same run, or nothing where there is only a limit. */
  beside?: string
  /** Ours as a share of the peer's, or as a multiple of what it is compared with. */
  ratio?: string
  goal?: string
  /** Undefined where there is no goal. */
  isMet?: boolean
}

const HEAD = ['what', 'ours', 'beside', 'ratio', 'goal', '']

export function printTable(lines: readonly Line[]): void {
  const rows = lines.map(({ what, ours, beside = '', ratio = '', goal = '', isMet }) => [
    what,
    ours,
    beside,
    ratio,
    goal,
    isMet === undefined ? '' : isMet ? 'met' : 'NOT MET',
  ])
  const widths = HEAD.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]!.length)))
  const print = (cells: readonly string[]) =>
    console.log(`| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`)
  console.log()
  print(HEAD)
  print(widths.map((width) => '-'.repeat(width)))
  for (const row of rows) print(row)
}

export const percent = (share: number) => `${(share * 100).toFixed(0)} %`

/** Says what is going on, apart from the figures. */
export const say = (line: string) => process.stderr.write(`${line}\n`)
