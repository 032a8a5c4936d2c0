// The invariants of the crash harness as docs/reliability.md lists them.
import { INVARIANTS } from '../../test/crash/invariants/index.ts'
import { markdownTable } from './markdown-table.ts'

export function invariantsTable(): string {
  return markdownTable(
    ['invariant', 'what it says'],
    INVARIANTS.map(({ name, says }) => [`\`${name}\``, says]),
  )
}
