// Whether files are known to be damaged. Nothing is read here: the worker does that, all of them within a month.
import type { Platform } from '#platform/platform.ts'
import { TROUBLE } from '#platform/troubles/trouble-names.ts'
import { listTroubles } from '#platform/troubles/trouble-statements.ts'
import { bad, type Finding } from './finding.ts'

const FIX = 'Bring it back from a backup that still has it: docs/operating/backup.md. The log names each of them.'

/** What the worker has found and what is still so; nothing where all files that it has read are whole. */
export async function checkFiles({ db }: Platform): Promise<Finding[]> {
  const troubles = await db.systemTransaction((tx) => listTroubles.many(tx, {}))
  return troubles.filter(({ name }) => name === TROUBLE.files).map(({ detail }) => bad(TROUBLE.files, detail, FIX))
}
