import { createRequest, isRepeatedCall } from '#features/signing/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { requireCreator, requireDepartment } from '#platform/auth/references.ts'
import type { Tx } from '#platform/db/database.ts'
import { AppError } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import type { Preparation } from './prepare-request.ts'
import type { Payload } from './schemas.ts'

export type CreateInOneStep = {
  caller: Caller
  body: Payload
  preparation: Preparation
  keyring: Keyring
  now: Date
}

/** Makes a complete request. A repeat of the call that made one under the same id gets that one's id. */
export async function createInOneStep(tx: Tx, creation: CreateInOneStep): Promise<{ id: string }> {
  const { caller, body, preparation } = creation
  const id = body.id ?? newId()
  try {
    await create(tx, { ...creation, id })
  } catch (error) {
    if (body.id === undefined || !(error instanceof AppError)) throw error
    const call = { tenantId: caller.tenantId, requestId: id, fingerprint: preparation.callFingerprint }
    if (!(await isRepeatedCall(tx, call))) throw error
  }
  return { id }
}

async function create(tx: Tx, { caller, body, preparation, keyring, now, id }: CreateInOneStep & { id: string }) {
  if (preparation.request === undefined) throw preparation.refusal!
  const { request, callFingerprint } = preparation
  const departmentId = request.departmentId ?? caller.departmentId
  const creatorId = body.creatorId ?? caller.userId
  if (departmentId !== caller.departmentId) await requireDepartment(tx, { caller, departmentId })
  await requireCreator(tx, { caller, creatorId })
  await createRequest(tx, {
    caller,
    request: {
      ...request,
      id,
      departmentId,
      creatorId,
      templateId: body.signatureRequestTemplateId ?? null,
      fingerprint: callFingerprint,
    },
    isIdChosen: body.id !== undefined,
    keyring,
    now,
  })
}
