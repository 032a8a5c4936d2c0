// Readers with faults, which the fuzzer has to find.
import { PkiError } from '#pki/errors.ts'
import type { EntryPoint } from './entry-points.ts'

const files = [Buffer.from('abcdefghij'.repeat(20))]

export async function makeEntryPoints(): Promise<EntryPoint[]> {
  return [
    { name: 'honest', files, read: refuse },
    { name: 'careless', files, read: throwing(() => [][0]!['length']) },
    { name: 'slow', files, read: throwing(() => compute(1050)) },
    { name: 'endless', files, read: throwing(() => compute(Infinity)) },
    { name: 'greedy', files, read: throwing(() => take()) },
  ]
}

function refuse(): never {
  throw new PkiError('malformed', 'No.')
}

/** The untouched file is read well, so that the fault shows only in what was spoiled. */
const throwing = (fault: () => unknown) => (bytes: Buffer) => (bytes.equals(files[0]!) ? undefined : fault())

function compute(ms: number): void {
  const before = process.cpuUsage()
  for (;;) {
    for (let idle = 0; idle < 1_000_000; idle++);
    const { user, system } = process.cpuUsage(before)
    if ((user + system) / 1000 > ms) return
  }
}

function take(): void {
  const taken: number[][] = []
  for (;;) taken.push(Array.from<number>({ length: 5_000_000 }).fill(1.5))
}
