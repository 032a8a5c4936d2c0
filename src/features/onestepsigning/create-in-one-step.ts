import {
  createRequest,
  createRequests,
  isRepeatedCall,
  type CreateRequest,
  type Opening,
} from '#features/signing/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { requireCreator, requireDepartment } from '#platform/auth/references.ts'
import type { Tx } from '#platform/db/database.ts'
import { AppError } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { Preparation } from './prepare-request.ts'
import type { Payload } from './schemas.ts'

export type CreateInOneStep = {
  caller: Caller
  body: Payload
  preparation: Preparation
  platform: Opening
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

/** Makes several complete requests of one tenant, none of which has an id that somebody chose. */
export async function createTogether(tx: Tx, creations: readonly CreateInOneStep[]): Promise<{ id: string }[]> {
  const named = creations.map((creation) => ({ ...creation, id: newId() }))
  await createRequests(tx, await Promise.all(named.map((creation) => readCreation(tx, creation))))
  return named.map(({ id }) => ({ id }))
}

async function create(tx: Tx, creation: CreateInOneStep & { id: string }): Promise<void> {
  await createRequest(tx, await readCreation(tx, creation))
}

/** The request that is to be made, once it is certain that the caller may make it there and in that name. */
async function readCreation(
  tx: Tx,
  { caller, body, preparation, platform, now, id }: CreateInOneStep & { id: string },
): Promise<CreateRequest> {
  if (preparation.request === undefined) throw preparation.refusal!
  const { request, callFingerprint } = preparation
  const departmentId = request.departmentId ?? caller.departmentId
  const creatorId = body.creatorId ?? caller.userId
  if (departmentId !== caller.departmentId) await requireDepartment(tx, { caller, departmentId })
  await requireCreator(tx, { caller, creatorId })
  return {
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
    platform,
    now,
  }
}
