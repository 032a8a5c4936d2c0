// One report of tests that run in several processes, in the form that Node's own runner gives it.
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { spec as SpecReporter } from 'node:test/reporters'
import { readLine, type ToldEvent } from './events.ts'

export type PartReport = {
  /** Takes a line that the process has printed. */
  take(line: string): void
  /** Takes what the process has ended with: its exit code, or the signal that ended it. */
  close(ending: number | NodeJS.Signals): void
}

export type Report = {
  openPart(files: string): PartReport
  /** Prints the totals, and each failure once more. Answers with whether every part has ended well. */
  close(): Promise<boolean>
}

type Course = {
  reporter: InstanceType<typeof SpecReporter>
  output: Writable
  totals: Map<string, number>
  endings: { message: string; isWell: boolean }[]
}

/** The last lines of a process's own report. */
const COUNT = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)$/

/** Opens a report that is printed as the tests go on. */
export function openReport(output: Writable): Report {
  const startedAt = performance.now()
  const reporter = new SpecReporter()
  reporter.pipe(output)
  const course: Course = { reporter, output, totals: new Map(), endings: [] }
  const say = (message: string, level: 'info' | 'error') =>
    reporter.write({ type: 'test:diagnostic', data: { nesting: 0, message, level } })
  return {
    openPart: (files) => openPart(files, course),
    async close() {
      for (const { message, isWell } of course.endings) say(message, isWell ? 'info' : 'error')
      course.totals.set('duration_ms', performance.now() - startedAt)
      for (const [name, total] of course.totals) say(`${name} ${total}`, 'info')
      reporter.end()
      await once(reporter, 'end')
      return course.endings.every(({ isWell }) => isWell)
    },
  }
}

function openPart(files: string, { reporter, output, totals, endings }: Course): PartReport {
  const openedAt = performance.now()
  let pending: ToldEvent[] = []
  let hasCounted = false
  /** A suite is printed when it is over, so that none stands within another one's lines. */
  const print = () => {
    for (const event of pending) reporter.write(event)
    pending = []
  }
  const count = (name: string, number: number) => {
    totals.set(name, (totals.get(name) ?? 0) + number)
    hasCounted = true
  }
  return {
    take(line) {
      const { said, event } = readLine(line)
      if (said !== '') output.write(`${said}\n`)
      if (event === undefined) return
      const [, name, number] = readCount(event)
      if (name !== undefined) return count(name, Number(number))
      pending.push(event)
      if (endsSuite(event)) print()
    },
    close(ending) {
      print()
      const seconds = Math.round((performance.now() - openedAt) / 1000)
      const how = hasCounted ? `ended with ${ending}` : `died with ${ending} before its tests were through`
      endings.push({ message: `${files}: ${how}, ${seconds} s`, isWell: hasCounted && ending === 0 })
    },
  }
}

function readCount(event: ToldEvent): readonly (string | undefined)[] {
  return (event.type === 'test:diagnostic' && event.data.nesting === 0 && COUNT.exec(event.data.message)) || []
}

function endsSuite({ type, data }: ToldEvent): boolean {
  return (type === 'test:pass' || type === 'test:fail') && data.nesting === 0
}
