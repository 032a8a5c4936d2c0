// What the tests of the log share: events out of nothing, and the sequencer one step at a time.
import { appendEvents, beginHistory, SYSTEM, type Subject } from '#features/event/index.ts'
import { newId } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import type { TestService, TestTenant } from '../../../../test/service.ts'
import { appendWaiting } from '../append-waiting.ts'
import type { GrowingTree } from '../merkle-tree.ts'

/** The platform as the worker has it. */
export function asWorker(service: TestService): Platform {
  return { ...service.platform, db: service.database.open('countersign_worker') }
}

export const newSubject = ({ tenantId, rootDepartmentId }: TestTenant): Subject => ({
  tenantId,
  requestId: newId(),
  requestKind: 'signaturerequest',
  departmentId: rootDepartmentId,
})

/** Writes a history of so many events and answers with its request. */
export async function writeHistory({ platform }: TestService, tenant: TestTenant, events = 3): Promise<string> {
  const subject = newSubject(tenant)
  const happened = Array.from({ length: events }, (_, index) => ({
    type: index === 0 ? 'signaturerequestcreated' : 'signaturerequestviewed',
    actor: SYSTEM,
    data: { index },
  }))
  const now = platform.clock.now()
  await platform.db.transaction(subject.tenantId, (tx) => beginHistory(tx, subject, happened.slice(0, 1), now))
  if (events > 1)
    await platform.db.transaction(subject.tenantId, (tx) => appendEvents(tx, subject, happened.slice(1), now))
  return subject.requestId
}

/** Does what the sequencer does until nothing waits. */
export async function logEverything({ db, keyring, clock }: Platform): Promise<GrowingTree> {
  let known: GrowingTree | undefined
  for (;;) {
    const before = known
    const step = await db.systemTransaction((tx) => appendWaiting(tx, { keyring, known: before, now: clock.now() }))
    if (step.count === 0) return step.tree
    known = step.tree
  }
}
