// What the browser does for passkeys: it asks a device, and answers with what the service has to check.
import type { Answer } from './service.ts'

export type NewPasskey = {
  id: string
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] }
}
export type PasskeyAnswer = {
  id: string
  response: { clientDataJSON: string; authenticatorData: string; signature: string }
}

type Offer = Answer<'askForNewPasskey'>
type Request = NonNullable<Answer<'signIn'>['passkey']>

/** Why a device did not answer, in words for the person in front of it. */
export class PasskeyError extends Error {}

/** Whether this browser can ask a device at all. */
export function knowsPasskeys(): boolean {
  return 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

/** Has a device make a passkey. */
export async function makePasskey(offer: Offer): Promise<NewPasskey> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(offer as PublicKeyCredentialCreationOptionsJSON)
  return readAnswer<NewPasskey>(() => navigator.credentials.create({ publicKey }))
}

/** Has a device prove that it holds one of these passkeys. */
export async function showPasskey(request: Request): Promise<PasskeyAnswer> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(request)
  return readAnswer<PasskeyAnswer>(() => navigator.credentials.get({ publicKey }))
}

async function readAnswer<T>(ask: () => Promise<Credential | null>): Promise<T> {
  try {
    const credential = await ask()
    return (credential as PublicKeyCredential).toJSON() as T
  } catch (error) {
    throw new PasskeyError(describe((error as DOMException).name), { cause: error })
  }
}

/** Browsers say in English for programmers why not; people need to know what to do. */
function describe(name: string): string {
  switch (name) {
    case 'InvalidStateError':
      return 'This device holds a passkey of yours already.'
    case 'SecurityError':
      return 'Passkeys work only at the public address of this service. Open the console there.'
    default:
      return 'The device was not asked, or it did not answer in time. Try again when you have it at hand.'
  }
}
