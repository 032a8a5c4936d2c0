// The library that checks what devices say is loaded by the first who needs it: it takes a quarter of a second, and most
// processes never do. It throws for whatever is wrong; here every such thing is simply not right.
import type { NewPasskeyFields, PasskeyAnswerFields } from './passkey-schemas.ts'
import { ALGORITHMS } from './passkey-options.ts'
import type { Site } from './passkey-site.ts'

/** The challenge that a browser says it has answered; undefined where it says nothing that can be read. */
export function readChallenge(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as Record<
      string,
      unknown
    >
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

export type NewPasskey = { credentialId: Buffer; publicKey: Buffer; counter: number }

/** What was asked, and where. */
type Asked = { site: Site; challenge: string }

/** The passkey that a device has made, or undefined where anything about it is not right. */
export async function verifyNewPasskey(
  { site, challenge }: Asked,
  { id, response }: NewPasskeyFields,
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  if (!(await isWithoutCertificates(response.attestationObject))) return undefined
  const { clientDataJSON, attestationObject } = response
  const verified = await orNothing(() =>
    verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: site.origins,
      expectedRPID: site.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!verified?.verified) return undefined
  const { credential } = verified.registrationInfo
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
  }
}

/**
 * We ask for no attestation, so an honest browser sends none that names certificates. The library would follow the
 * addresses in them: nobody makes this service call others that way.
 */
async function isWithoutCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = await orNothing(async () => decodeAttestationObject(Buffer.from(attestationObject, 'base64url')))
  if (decoded === undefined) return false
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

export type KnownPasskey = { publicKey: Buffer; counter: number }

/** The device's count of uses, where it really holds this passkey and answers to what it was asked; else undefined. */
export async function verifyPasskeyAnswer(
  { site, challenge }: Asked,
  { id, response }: PasskeyAnswerFields,
  { publicKey, counter }: KnownPasskey,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { clientDataJSON, authenticatorData, signature } = response
  const verified = await orNothing(() =>
    verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: site.origins,
      expectedRPID: site.id,
      credential: { id, publicKey: Uint8Array.from(publicKey), counter },
      requireUserVerification: false,
    }),
  )
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined
}

async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch {
    return undefined
  }
}
