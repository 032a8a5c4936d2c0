import type { Tx } from '#platform/db/database.ts'
import { deleteBodiesOfPeople, deleteBodiesOfRequest } from './event-statements.ts'

type History = { tenantId: string; requestId: string; requestKind: 'signaturerequest' | 'sealingrequest' }

/** Erases what the events of a request tell so far. The events themselves stay, and so does every proof about them. */
export async function eraseHistory(tx: Tx, history: History): Promise<void> {
  await deleteBodiesOfRequest.run(tx, history)
}

/** Erases what the events of a request tell about some of its signatories, who may also be named by these texts. */
export async function erasePeople(tx: Tx, of: History & { signatoryIds: string[]; texts: string[] }): Promise<void> {
  await deleteBodiesOfPeople.run(tx, of)
}
