// Everything that the command line can do, in the order of its help.
import type { CommandTable } from '../command-line/run-command.ts'
import { backup } from './backup.ts'
import { demo } from './demo.ts'
import { distribute } from './distribute.ts'
import { doctor } from './doctor.ts'
import { documents } from './documents.ts'
import { history } from './history.ts'
import { hooks } from './hooks.ts'
import { key } from './key.ts'
import { migrate } from './migrate.ts'
import { serve, start, work } from './processes.ts'
import { restore } from './restore.ts'
import { seal } from './seal.ts'
import { tenant } from './tenant.ts'
import { user } from './user.ts'
import { verify } from './verify.ts'

export const COMMANDS: CommandTable = {
  start,
  serve,
  work,
  migrate,
  distribute,
  doctor,
  tenant,
  key,
  user,
  backup,
  restore,
  seal,
  verify,
  history,
  documents,
  hooks,
  demo,
}
