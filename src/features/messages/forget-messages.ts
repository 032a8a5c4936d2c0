import type { Tx } from '#platform/db/database.ts'
import { deleteMessagesOfRequest, eraseRecipients } from './message-statements.ts'

/** Forgets to whom was written about a request. */
export async function forgetMessages(tx: Tx, of: { tenantId: string; requestId: string }): Promise<void> {
  await deleteMessagesOfRequest.run(tx, of)
}

type People = { tenantId: string; requestIds: string[]; signatoryIds: string[] }

/** Forgets the addresses of people who were written to. */
export async function forgetRecipients(tx: Tx, people: People): Promise<void> {
  await eraseRecipients.run(tx, people)
}
