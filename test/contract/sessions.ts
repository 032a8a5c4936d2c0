// What a session reaches: a signatory's, its own request; a person's in the console, its own account. Ids of others are
// answered as ids that nobody has.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { routes } from '#main/routes.ts'
import { routeName } from '#platform/http/route.ts'
import { newId } from '#platform/ids.ts'
import { signedIn, type ConsoleBrowser } from '../console-browser.ts'
import { PASSWORD, type Reply } from '../service.ts'
import { openLink, type Browser } from '../signing-flow.ts'
import { withoutIds } from './foreign.ts'
import type { World } from './world.ts'

const HASH = 'a'.repeat(64)

type Foreign = { documentId: string; signatoryId: string; sessionId: string; passkeyId: string }
type SignatoryCall = (browser: Browser, foreign: Foreign) => Promise<Reply>
type PersonCall = (browser: ConsoleBrowser, foreign: Foreign) => Promise<Reply>

const OWN = 'takes no id: it is about the session alone'

/** Every operation for signatories, with what belongs to somebody else wherever it takes an id. */
const FOR_SIGNATORIES: Record<string, SignatoryCall | typeof OWN> = {
  'POST /sign/api/session': (browser, { signatoryId: token }) => browser.post('/sign/api/session', { token }),
  'POST /sign/api/report': (browser, { signatoryId: token }) => browser.post('/sign/api/report', { token }),
  'GET /sign/api/request': OWN,
  'POST /sign/api/code': OWN,
  'POST /sign/api/code/verify': OWN,
  'POST /sign/api/strong': OWN,
  'GET /sign/strong/return': (browser, { sessionId }) => browser.get(`/sign/strong/return?code=x&state=${sessionId}`),
  'GET /sign/api/document/:id': (browser, { documentId }) => browser.get(`/sign/api/document/${documentId}`),
  'POST /sign/api/viewed': OWN,
  'POST /sign/api/sign': (browser, { documentId: id, signatoryId }) =>
    browser.post('/sign/api/sign', { documents: [{ id, sha256: HASH }], signatoryId }),
  'POST /sign/api/decline': (browser, { signatoryId }) =>
    browser.post('/sign/api/decline', { reason: 'Not mine', signatoryId }),
  'POST /sign/api/language': OWN,
}

/** Every operation on a person's own account. */
const FOR_PEOPLE: Record<string, PersonCall | typeof OWN> = {
  'GET /console/session': OWN,
  'POST /console/session': OWN,
  'DELETE /console/session/:id': (browser, { sessionId }) => browser.call('DELETE', `/console/session/${sessionId}`),
  'POST /console/password': (browser, { sessionId: token }) =>
    browser.call('POST', '/console/password', { token, password: 'correct horse battery staple' }),
  'PUT /console/password': OWN,
  'POST /console/password/forgotten': OWN,
  'GET /console/factor': OWN,
  'POST /console/factor': OWN,
  'DELETE /console/factor': OWN,
  'POST /console/factor/confirm': OWN,
  'POST /console/factor/passkey': OWN,
  'POST /console/factor/passkey/confirm': OWN,
  'DELETE /console/factor/passkey/:id': (browser, { passkeyId }) =>
    browser.call('DELETE', `/console/factor/passkey/${passkeyId}`, { password: PASSWORD }),
}

const isFor = (beginning: string) => (name: string) => name.split(' ')[1]!.startsWith(beginning)

/** Tests of what a session of another tenant learns. */
export function walkSessions(world: () => World): void {
  test('every operation of signatories and of people’s own accounts is walked', () => {
    const names = routes.map(routeName)
    assert.deepEqual(names.filter(isFor('/sign/')).sort(), Object.keys(FOR_SIGNATORIES).sort())
    assert.deepEqual(names.filter(isFor('/console/')).sort(), Object.keys(FOR_PEOPLE).sort())
  })

  for (const [name, call] of Object.entries(FOR_SIGNATORIES)) {
    if (call === OWN) continue
    test(`${name}: to a signatory, what belongs to another tenant is what nobody has`, async () => {
      const { service, other, abroad, sales } = world()
      const { openRequestId, signatoryId } = abroad.things
      const browser = await openLink(service, other, openRequestId, signatoryId)
      await requireAlike((foreign) => call(browser, foreign), await foreignTo(world(), sales.things))
    })
  }

  for (const [name, call] of Object.entries(FOR_PEOPLE)) {
    if (call === OWN) continue
    test(`${name}: in the console, what belongs to another tenant is what nobody has`, async () => {
      const { service, other, sales } = world()
      const browser = await signedIn(service.url, other.administratorEmail)
      await requireAlike((foreign) => call(browser, foreign), await foreignTo(world(), sales.things))
    })
  }
}

async function foreignTo({ service }: World, things: { openRequestId: string; signatoryId: string }): Promise<Foreign> {
  const [document] = await service.database.asOwner('select id from signature_document where request_id = $1', [
    things.openRequestId,
  ])
  const [session] = await service.database.asOwner(
    `insert into console_session (tenant_id, id, user_id, agent, created_at, last_seen_at, expires_at)
     select tenant_id, $1, id, 'A browser', now(), now(), now() + interval '1 hour' from app_user
      where tenant_id = (select tenant_id from signature_request where id = $2) and kind = 'person' limit 1
     returning id`,
    [newId(), things.openRequestId],
  )
  const [passkey] = await service.database.asOwner(
    `insert into passkey (tenant_id, id, user_id, credential_id, public_key, counter, transports, name, created_at)
     select tenant_id, $1, user_id, $3::bytea, $3::bytea, 0, '{}', 'A key', now()
       from console_session where id = $2 returning id`,
    [newId(), session!.id, randomBytes(16)],
  )
  return {
    documentId: String(document!.id),
    signatoryId: things.signatoryId,
    sessionId: String(session!.id),
    passkeyId: String(passkey!.id),
  }
}

async function requireAlike(ask: (ids: Foreign) => Promise<Reply>, foreign: Foreign): Promise<void> {
  const unknown: Foreign = { documentId: newId(), signatoryId: newId(), sessionId: newId(), passkeyId: newId() }
  const [one, other] = [await ask(foreign), await ask(unknown)]
  assert.equal(one.status, other.status)
  assert.ok(one.status >= 300, `${one.status} ${one.text}`)
  assert.equal(withoutIds(one, Object.values(foreign)), withoutIds(other, Object.values(unknown)))
}
