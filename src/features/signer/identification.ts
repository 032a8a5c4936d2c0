// What ties a person's visit to an identity provider to one session and one purpose.
import { publicAddress } from '#platform/config/public-address.ts'
import type { Config } from '#platform/config/config.ts'
import type { Secrets } from '#platform/outbound/identity-provider.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'

export const IDENTIFICATION_LIFE_MS = 10 * 60 * 1000
export const MOST_IDENTIFICATIONS_AN_HOUR = 20
export const RETURN_PATH = '/sign/strong/return'

/** State, nonce and verifier of one identification: 256 bits each, made again when they are needed, never stored. */
export function identificationSecrets(keyring: Keyring, id: string): Secrets {
  const make = (what: string) => keyring.mac(`signer identification ${what}`, id).toString('base64url')
  return { state: make('state'), nonce: make('nonce'), verifier: make('verifier') }
}

/** Where providers send people back to; it has to be registered with each of them. */
export function returnAddress(config: Config): string {
  return publicAddress(config) + RETURN_PATH
}
