// One identity provider as an OpenID Connect client sees it: authorization code with PKCE, an ID token whose signature is
// checked, and nothing believed that the answer does not say. The operator has chosen the address, so it may lie anywhere.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type Configuration,
} from 'openid-client'
import type { IdentityProvider } from '#platform/config/identity-providers.ts'
import { boundedFetch } from './bounded-fetch.ts'

const TIMEOUT_S = 10
/** Providers change their keys and addresses rarely; keys are asked for anew by themselves. */
const KNOWN_FOR_MS = 60 * 60 * 1000

/** What binds an answer to the question: each is used once and never leaves the pair of us and the provider. */
export type Secrets = { state: string; nonce: string; verifier: string }

export type Question = Secrets & { returnTo: string; language: string }

export type Answered = Secrets & {
  /** The address by which the person came back, with everything that the provider put into it. */
  address: URL
  askedAt: Date
}

/** What the provider vouches for. */
export type Identity = { issuer: string; subject: string; acr: string; identifier: string }

/** The person did not want to, or the provider would not: nothing is broken, and they may try again. */
export class AuthenticationAborted extends Error {}

const known = new WeakMap<IdentityProvider, { configuration: Promise<Configuration>; at: number }>()

/** Asks the provider what it can do and where; throws where it does not answer. */
export async function discoverProvider(provider: IdentityProvider): Promise<Configuration> {
  const before = known.get(provider)
  if (before !== undefined && performance.now() - before.at < KNOWN_FOR_MS) return before.configuration
  const configuration = discover(provider)
  known.set(provider, { configuration, at: performance.now() })
  configuration.catch(() => known.delete(provider))
  return configuration
}

/** As above, but always asks: to notice that a provider is away before somebody needs it. */
export async function checkProvider(provider: IdentityProvider): Promise<void> {
  await discover(provider)
}

async function discover({ issuer, clientId, clientSecret }: IdentityProvider): Promise<Configuration> {
  const isPlain = issuer.startsWith('http:')
  const options = {
    timeout: TIMEOUT_S,
    [customFetch]: boundedFetch,
    // OpenID Connect Core 3.1.3.7 lets a client skip the signature on a token that came over TLS. Evidence should not.
    execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
  }
  const found = await discovery(new URL(issuer), clientId, undefined, ClientSecretBasic(clientSecret), options)
  const methods = found.serverMetadata().token_endpoint_auth_methods_supported
  if (methods === undefined || methods.includes('client_secret_basic')) return found
  return discovery(new URL(issuer), clientId, undefined, ClientSecretPost(clientSecret), options)
}

/** The address where the provider awaits the person. It is to authenticate them now, whoever was there before. */
export async function askIdentity(provider: IdentityProvider, question: Question): Promise<string> {
  const configuration = await discoverProvider(provider)
  const { state, nonce, verifier, returnTo, language } = question
  const address = buildAuthorizationUrl(configuration, {
    redirect_uri: returnTo,
    scope: provider.scope,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    acr_values: provider.acr.join(' '),
    prompt: 'login',
    max_age: '0',
    ui_locales: language,
  })
  return address.href
}

/** Exchanges the provider's answer for who the person is; throws where any of it does not fit. */
export async function readIdentity(provider: IdentityProvider, answered: Answered): Promise<Identity> {
  const configuration = await discoverProvider(provider)
  const { address, state, nonce, verifier, askedAt } = answered
  const tokens = await authorizationCodeGrant(configuration, address, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  }).catch((error: unknown) => {
    throw error instanceof AuthorizationResponseError ? new AuthenticationAborted(error.error, { cause: error }) : error
  })
  const claims = tokens.claims()!
  requireFresh(claims.auth_time, askedAt)
  const acr = claims['acr']
  if (typeof acr !== 'string' || !provider.acr.includes(acr))
    throw new Error(`the level ${JSON.stringify(acr)} is not enough`)
  const told: Record<string, unknown> =
    claims[provider.identifierClaim] === undefined
      ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims
  const identifier = told[provider.identifierClaim]
  if (typeof identifier !== 'string' || identifier === '') throw new Error(`there is no ${provider.identifierClaim}`)
  return { issuer: claims.iss, subject: claims.sub, acr, identifier }
}

/** Clocks differ a little. */
const TOLERANCE_S = 60

/** A login of an hour ago, by whoever sat there then, proves nothing about now. */
function requireFresh(authenticatedAt: unknown, askedAt: Date): void {
  if (typeof authenticatedAt !== 'number') throw new Error('the provider does not say when it authenticated the person')
  if (authenticatedAt < askedAt.getTime() / 1000 - TOLERANCE_S) throw new Error('the authentication is an old one')
}
