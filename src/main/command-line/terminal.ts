// What a command says: answers on standard output, as text or as JSON; progress on standard error, for people only.
import type { Environment } from '#platform/config/environment.ts'

export type Progress = {
  /** So many more are done. */
  add(count: number): void
  done(): void
}

export type Terminal = {
  /** The variables that the command was started with. */
  environment: Environment
  isJson: boolean
  /** The answer of the command: for programs, or for people. Once for each command. */
  answer(json: unknown, text: string | readonly string[]): void
  /** Something that is not the answer. Goes to standard error, so that it is never taken for it. */
  note(line: string): void
  /** A bar that grows, where somebody looks. */
  progress(what: string, total: number): Progress
}

/** Where a command was typed. */
export type Surroundings = {
  out: (text: string) => void
  err: (text: string) => void
  isInteractive: boolean
  environment: Environment
}

const BAR_WIDTH = 30
const REDRAW_MS = 100

export function makeTerminal({ out, err, isInteractive, environment }: Surroundings, isJson: boolean): Terminal {
  // Whatever is said while a bar stands there begins on a line of its own.
  let isBarOpen = false
  const beginLine = () => {
    if (isBarOpen) err('\n')
    isBarOpen = false
  }
  const draw = (text: string) => {
    isBarOpen = true
    err(`\r${text}`)
  }
  return {
    environment,
    isJson,
    answer(json, text) {
      beginLine()
      if (isJson) out(`${JSON.stringify(json, null, 2)}\n`)
      else out(`${typeof text === 'string' ? text : text.join('\n')}\n`)
    },
    note(line) {
      beginLine()
      err(`${line}\n`)
    },
    progress: (what, total) =>
      isInteractive && !isJson ? drawProgress({ what, total, draw, end: beginLine }) : { add() {}, done() {} },
  }
}

/** A bar for work whose size is told only once it has begun. */
export function progressOnceKnown({ progress }: Terminal, what: string) {
  let bar: Progress | undefined
  return {
    add(count: number, total: number): void {
      bar ??= progress(what, total)
      bar.add(count)
    },
    done: () => bar?.done(),
  }
}

type Bar = { what: string; total: number; draw: (text: string) => void; end: () => void }

function drawProgress({ what, total, draw, end }: Bar): Progress {
  let count = 0
  let drawnAt = 0
  const redraw = () => {
    drawnAt = performance.now()
    const share = total === 0 ? 1 : Math.min(1, count / total)
    const bar = '█'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '░')
    draw(`${what} ${bar} ${Math.floor(share * 100)} %`)
  }
  redraw()
  return {
    add(more) {
      count += more
      if (performance.now() - drawnAt > REDRAW_MS) redraw()
    },
    done() {
      count = total
      redraw()
      end()
    },
  }
}

/** Columns under each other, for people. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}
