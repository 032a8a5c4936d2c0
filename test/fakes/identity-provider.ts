// A real OpenID Connect provider on a loopback port, with a login page of two buttons. Whoever types an identifier there
// is that person.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyPairSync } from 'node:crypto'
import Provider from 'oidc-provider'
import { freePort } from '../free-port.ts'

export const STRONG = 'urn:example:strong'

export type FakeIdentityProvider = {
  issuer: string
  /** What the service has to be started with to know this provider under the area code FI. */
  environment: Record<string, string>
  /** The level of authentication that it tells from now on. */
  setLevel(acr: string): void
  /** It still logs people in, but exchanges no codes: broken in the middle. */
  setBroken(isBroken: boolean): void
  /** Nobody answers there any more, until it is started again. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
  /** Goes through the login as a browser does, as “nobody” by its other button; answers with the address that it sends the browser back to. */
  logIn(address: string, as: string): Promise<string>
  stop(): Promise<void>
}

export const CLIENT = { client_id: 'countersign', client_secret: 'a secret between the two of us, for tests alone' }

/** Starts a provider, and reserves a port for the service that will use it. */
export async function startIdentityProvider(): Promise<FakeIdentityProvider> {
  const port = await freePort()
  const serviceUrl = `http://127.0.0.1:${await freePort()}`
  const issuer = `http://127.0.0.1:${port}`
  const folder = mkdtempSync(join(tmpdir(), 'countersign-provider-'))
  let level = STRONG
  let isBroken = false
  const provider = makeProvider(issuer, `${serviceUrl}/sign/strong/return`)
  const answer = provider.callback()
  const listen = () =>
    startServer(port, (request, response) => {
      if (isBroken && request.url?.startsWith('/token')) return void response.writeHead(503).end()
      if (!request.url?.startsWith('/interaction/')) return answer(request, response)
      return void meet(provider, request, response, level).catch(() => response.writeHead(500).end())
    })
  let server: Server | undefined = await listen()
  const goAway = async () => {
    const leaving = server
    server = undefined
    leaving?.closeAllConnections()
    await new Promise<void>((resolve) => (leaving ? leaving.close(() => resolve()) : resolve()))
  }
  return {
    issuer,
    environment: {
      COUNTERSIGN_OIDC_FILE: writeFile(folder, issuer),
      COUNTERSIGN_PUBLIC_URL: serviceUrl,
      COUNTERSIGN_PORT: new URL(serviceUrl).port,
    },
    setLevel: (acr) => void (level = acr),
    setBroken: (wanted) => void (isBroken = wanted),
    goAway,
    async comeBack() {
      server = await listen()
    },
    logIn: (address, as) => walk(address, { issuer, as }),
    async stop() {
      await goAway()
      rmSync(folder, { recursive: true })
    },
  }
}

function makeProvider(issuer: string, returnTo: string): Provider {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [returnTo],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: 'one' }] },
    cookies: { keys: ['cookies of the provider in tests'] },
    acrValues: [STRONG, 'urn:example:weak'],
    claims: { openid: ['sub', 'acr', 'auth_time', 'personal_number'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, personal_number: id.replace(/^person-/, '') }),
    }),
    ttl: { Session: 3600, Interaction: 600, Grant: 3600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
  })
}

const PAGE = `<!doctype html><html lang="en"><title>Example identity</title><h1>Who are you?</h1>
<form method="post"><label>Personal number <input name="number" autofocus></label>
<button name="go" value="on">Log in</button> <button name="go" value="back">Cancel</button></form></html>`

async function meet(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  acr: string,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    return
  }
  const form = await readForm(request)
  if (form.get('go') === 'back') {
    await provider.interactionFinished(request, response, { error: 'access_denied', error_description: 'Not today.' })
    return
  }
  const { params } = await provider.interactionDetails(request, response)
  const accountId = `person-${form.get('number')}`
  const grant = new provider.Grant({ accountId, clientId: params['client_id']! })
  grant.addOIDCScope('openid')
  grant.addOIDCClaims(['personal_number'])
  const result = { login: { accountId, acr }, consent: { grantId: await grant.save() } }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

/** Follows the provider from page to page, with its cookies, until it sends the browser away. */
async function walk(address: string, { issuer, as }: { issuer: string; as: string }): Promise<string> {
  const cookies = new Map<string, string>()
  let url = address
  let form: URLSearchParams | undefined
  while (url.startsWith(issuer)) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]!.split('=')
      cookies.set(name, value)
    }
    const text = await response.text()
    const next = response.headers.get('location')
    if (next === null && response.status !== 200) throw new Error(`the provider says ${response.status}: ${text}`)
    form = next === null ? new URLSearchParams({ number: as, go: as === 'nobody' ? 'back' : 'on' }) : undefined
    if (next !== null) url = new URL(next, url).href
  }
  return url
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return new URLSearchParams(text)
}

function writeFile(folder: string, issuer: string): string {
  writeFileSync(join(folder, 'secret'), CLIENT.client_secret, { mode: 0o600 })
  const file = join(folder, 'providers.json')
  const provider = {
    areaCode: 'FI',
    issuer,
    clientId: CLIENT.client_id,
    clientSecretFile: 'secret',
    identifierClaim: 'personal_number',
    acr: STRONG,
  }
  writeFileSync(file, JSON.stringify([provider]))
  return file
}

function startServer(
  port: number,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer(answer)
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)))
}
