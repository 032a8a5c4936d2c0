import type { CommandGroup } from '../command-line/command.ts'
import { auditHistory } from './audit-history.ts'
import { verifyHistoryFile } from './verify-history.ts'

export const history: CommandGroup = {
  purpose: 'verify the history of a signature request, or audit them all',
  commands: { verify: verifyHistoryFile, audit: auditHistory },
}
