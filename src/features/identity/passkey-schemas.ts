// The wire of passkeys: the JSON forms of WebAuthn 5.8.1, as browsers read and write them. What we do not look at is left out.
import type { Static } from 'typebox'
import { NAME_LENGTH, Named, Optional, Text, Type, Uuid } from '#platform/http/schema.ts'

/** Base64url of at most so many bytes. */
const Encoded = (bytes: number) => Text(Math.ceil((bytes * 4) / 3), { minLength: 1 })

/** WebAuthn 4: a credential's id has at most 1023 bytes. */
const CredentialId = () => Encoded(1023)
const LONGEST_CLIENT_DATA = 4096
const LONGEST_ATTESTATION = 16_384
const LONGEST_AUTHENTICATOR_DATA = 4096
const LONGEST_SIGNATURE = 1024
const MOST_TRANSPORTS = 10

const Descriptors = () =>
  Type.Array(Type.Object({ type: Type.String(), id: Type.String(), transports: Type.Array(Type.String()) }))

export const PasskeyPath = Type.Object({ id: Uuid('Id of the passkey.') })

export const PasskeyOffer = Named('PasskeyOffer', {
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  challenge: Type.String(),
  pubKeyCredParams: Type.Array(Type.Object({ type: Type.String(), alg: Type.Integer() })),
  timeout: Type.Integer({ description: 'Milliseconds.' }),
  excludeCredentials: Descriptors(),
  authenticatorSelection: Type.Object({ residentKey: Type.String(), userVerification: Type.String() }),
  attestation: Type.String(),
})

export const PasskeyRequest = Named('PasskeyRequest', {
  rpId: Type.String(),
  challenge: Type.String(),
  timeout: Type.Integer({ description: 'Milliseconds.' }),
  allowCredentials: Descriptors(),
  userVerification: Type.String(),
})

const NewCredential = Type.Object(
  {
    id: CredentialId(),
    response: Type.Object({
      clientDataJSON: Encoded(LONGEST_CLIENT_DATA),
      attestationObject: Encoded(LONGEST_ATTESTATION),
      transports: Optional(Type.Array(Text(32), { maxItems: MOST_TRANSPORTS })),
    }),
  },
  { description: 'What navigator.credentials.create answered with, by its toJSON().' },
)
export type NewPasskeyFields = Static<typeof NewCredential>

export const NewPasskeyBody = Type.Object({
  name: Text(NAME_LENGTH, { minLength: 1, description: 'By which its owner knows the device again.' }),
  credential: NewCredential,
})
export type NewPasskeyBodyFields = Static<typeof NewPasskeyBody>

export const PasskeyAnswer = Type.Object(
  {
    id: CredentialId(),
    response: Type.Object({
      clientDataJSON: Encoded(LONGEST_CLIENT_DATA),
      authenticatorData: Encoded(LONGEST_AUTHENTICATOR_DATA),
      signature: Encoded(LONGEST_SIGNATURE),
    }),
  },
  { description: 'What navigator.credentials.get answered with, by its toJSON().' },
)
export type PasskeyAnswerFields = Static<typeof PasskeyAnswer>
