import type { Static } from 'typebox'
import { recordActivity } from '#features/activity/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { requireDepartment } from '#platform/auth/references.ts'
import type { Tx } from '#platform/db/database.ts'
import { referenceNotFound } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Platform } from '#platform/platform.ts'
import { notBase64, oneSourceNeeded } from './errors.ts'
import { MAKE_SEAL_QUEUE } from './queues.ts'
import { findRemoteKey } from './remote-keys.ts'
import type { CertificateInput } from './schemas.ts'
import { sealBody } from './seal-body.ts'
import { insertPendingSeal } from './seal-statements.ts'
import { sealUpload, type SealUpload } from './seal-upload.ts'

export type AddSeal = {
  caller: Caller
  given: Static<typeof CertificateInput>
  platform: Pick<Platform, 'config' | 'keyring'>
  now: Date
}

/** Asks the worker for a department's seal, generated or imported. Until it is there the certificate is Pending. */
export async function addSeal(tx: Tx, { caller, given, platform, now }: AddSeal) {
  const { tenantId } = caller
  const { departmentId = caller.departmentId, remoteKey } = given
  const upload = readUpload(given)
  if (remoteKey !== undefined && findRemoteKey(platform, { tenantId, name: remoteKey }) === undefined) {
    throw referenceNotFound('remoteKey', 'key that the operator has set up for you')
  }
  await requireDepartment(tx, { caller, departmentId })
  const certificateId = newId()
  const origin = upload?.kind ?? (remoteKey === undefined ? 'issued' : 'remote')
  const pending = await insertPendingSeal.one(tx, { tenantId, id: certificateId, departmentId, origin, now })
  const secret = upload && { upload: sealUpload(platform.keyring, upload, { tenantId, certificateId }) }
  const payload = { certificateId, ...secret, ...(remoteKey !== undefined && { remoteKey }) }
  await enqueue(tx, { tenantId, queue: MAKE_SEAL_QUEUE, payload, now })
  await recordActivity(tx, {
    caller,
    action: 'certificate.created',
    target: { id: certificateId, name: null },
    departmentId,
    details: { origin },
    now,
  })
  return sealBody(pending)
}

/** Undefined where no key comes with the call. */
function readUpload({ generate, pkcs12, pem, remoteKey, password }: AddSeal['given']): SealUpload | undefined {
  const sources = [generate === true, pkcs12 !== undefined, pem !== undefined, remoteKey !== undefined].filter(Boolean)
  if (sources.length !== 1) throw oneSourceNeeded()
  const secret = password === undefined ? {} : { password }
  if (pem !== undefined) return { kind: 'pem', content: pem, ...secret }
  if (pkcs12 === undefined) return undefined
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(pkcs12)) throw notBase64()
  return { kind: 'pkcs12', content: pkcs12, ...secret }
}
