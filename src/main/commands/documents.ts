import type { CommandGroup } from '../command-line/command.ts'
import { auditDocuments } from './audit-documents.ts'

export const documents: CommandGroup = {
  purpose: 'audit every signed and sealed file',
  commands: { audit: auditDocuments },
}
