// A passkey beside the password, at the door.
import type { Outside } from '#platform/http/route.ts'
import { useChallenge, writeChallenge } from './passkey-challenge.ts'
import { requestOptions } from './passkey-options.ts'
import type { PasskeyAnswerFields } from './passkey-schemas.ts'
import { findSite } from './passkey-site.ts'
import { findPasskey, listPasskeys, notePasskeyUsed } from './passkey-statements.ts'
import type { Whose } from './second-factor.ts'
import { readChallenge, verifyPasskeyAnswer } from './verify-passkey.ts'

type Headers = Record<string, string | undefined>

/** What a browser needs to ask a device of this person; null where there is none, or none that counts at this address. */
export async function askForPasskey(
  { platform, now }: Outside,
  { tenantId, userId, headers }: Whose & { headers: Headers },
) {
  const site = findSite(platform.config, headers)
  if (site === undefined) return null
  return platform.db.transaction(tenantId, async (tx) => {
    const known = await listPasskeys.many(tx, { tenantId, userId })
    if (known.length === 0) return null
    const challenge = await writeChallenge(tx, { tenantId, userId, sessionId: null, now })
    return requestOptions(site, { challenge, known })
  })
}

type Answered = Whose & { passkey: PasskeyAnswerFields; headers: Headers }

/** Whether a device of this person answered to what it was asked just now. The answer is then used up. */
export async function takePasskey(
  outside: Outside,
  { tenantId, userId, passkey, headers }: Answered,
): Promise<boolean> {
  const { platform, now } = outside
  const site = findSite(platform.config, headers)
  const challenge = readChallenge(passkey.response.clientDataJSON)
  if (site === undefined || challenge === undefined) return false
  if (!(await useChallenge(outside, { tenantId, userId, sessionId: null, challenge }))) return false
  const credentialId = Buffer.from(passkey.id, 'base64url')
  const known = await platform.db.transaction(tenantId, (tx) =>
    findPasskey.maybeOne(tx, { tenantId, userId, credentialId }),
  )
  if (known === undefined) return false
  const counter = await verifyPasskeyAnswer({ site, challenge }, passkey, known)
  if (counter === undefined) return false
  return platform.db.transaction(
    tenantId,
    async (tx) => (await notePasskeyUsed.run(tx, { tenantId, id: known.id, counter, now })) > 0,
  )
}
