// What a browser is told before it asks a device (WebAuthn 5.4 and 5.5, in their JSON form). Pure.
import type { Site } from './passkey-site.ts'

export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000
/** EdDSA, ES256, RS256 (RFC 9053, RFC 8812): what devices in use can do, the best first. */
export const ALGORITHMS = [-8, -7, -257]

type Known = { credentialId: Buffer; transports: string[] }

export type PasskeyOwner = { userId: string; email: string | null; name: string | null }

/** For a new passkey. Devices that hold one of this person already are left out. */
export function creationOptions(
  site: Site,
  { owner, challenge, known }: { owner: PasskeyOwner; challenge: Buffer; known: Known[] },
) {
  const account = owner.email ?? owner.userId
  return {
    rp: { id: site.id, name: 'Countersign' },
    user: {
      // 16 bytes that tell nobody who it is (WebAuthn 14.6.1).
      id: Buffer.from(owner.userId.replaceAll('-', ''), 'hex').toString('base64url'),
      name: account,
      displayName: owner.name ?? account,
    },
    challenge: challenge.toString('base64url'),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_LIFETIME_MS,
    excludeCredentials: known.map(describe),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
  }
}

/** For signing in with one of the passkeys that this person has. */
export function requestOptions(site: Site, { challenge, known }: { challenge: Buffer; known: Known[] }) {
  return {
    rpId: site.id,
    challenge: challenge.toString('base64url'),
    timeout: CHALLENGE_LIFETIME_MS,
    allowCredentials: known.map(describe),
    userVerification: 'preferred',
  }
}

function describe({ credentialId, transports }: Known) {
  return { type: 'public-key', id: credentialId.toString('base64url'), transports }
}
