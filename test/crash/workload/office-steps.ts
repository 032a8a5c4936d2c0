// What administrators do: departments, people, keys, templates, metadata.
import { makePdf } from '../../small-pdf.ts'
import { change, remove, type Thing } from '../ledger.ts'
import { setByLink, visitConsole } from './console-steps.ts'
import { idOf, WRONG_STATE, type Client, type Mine } from './client.ts'

const as = 'administrator'

type Making = {
  operation: string
  table: Thing['table']
  column: string
  kind: keyof Mine
  body: (mark: string) => unknown
}

/** Makes a thing whose mark is one of its columns. */
function maker({ operation, table, column, kind, body }: Making) {
  return async (client: Client) => {
    const mark = kind === 'users' ? `${client.newMark()}@example.com` : client.newMark()
    const thing = client.ask(table, column, mark)
    const headers = { 'idempotency-key': mark }
    const answers: string[] = []
    for (let tries = 0; tries < 3 && (tries === 0 || client.random.next() < 0.4); tries++) {
      const reply = await client.call(operation, { body: body(mark), as, headers })
      if (reply === undefined || reply.status >= 300) continue
      thing.ids.add(reply.json.id)
      answers.push(String(reply.json.id))
    }
    if (answers.length > 1) client.ledger.repeats.push({ what: `${operation} ${mark}`, answers })
    if (thing.ids.size > 0) client.mine[kind].push(thing)
  }
}

type Changing = {
  operation: string
  kind: keyof Mine
  column: string
  body: (value: string) => unknown
  /** What it may become; without them, a new mark each time. */
  values?: readonly string[]
}

/** Changes one column of a thing of the client's own. */
function changer({ operation, kind, column, body, values }: Changing) {
  return async (client: Client) => {
    const thing = client.pick(kind)
    if (thing === undefined) return
    const value = values === undefined ? client.newMark() : client.random.pick(values)
    const reply = await client.call(operation, {
      params: { id: idOf(thing) },
      body: body(value),
      as,
      mayRefuse: WRONG_STATE,
    })
    if (client.outcomeOf(reply) !== 'refused') change(thing, { [column]: value }, reply ? 'done' : 'unknown')
  }
}

/** Deletes a thing for good; the row stays and says since when. */
function remover(operation: string, kind: keyof Mine, body?: unknown) {
  return async (client: Client) => {
    const thing = client.take(kind)
    if (thing === undefined) return
    const reply = await client.call(operation, { params: { id: idOf(thing) }, body, as, mayRefuse: WRONG_STATE })
    if (client.outcomeOf(reply) !== 'refused') remove(thing, reply ? 'done' : 'unknown')
  }
}

export const createDepartment = maker({
  operation: 'POST /onboarding/department',
  table: 'department',
  column: 'external_reference',
  kind: 'departments',
  body: (mark) => ({ department: { name: mark, externalReference: mark } }),
})
export const changeDepartment = changer({
  operation: 'PATCH /onboarding/department/:id',
  kind: 'departments',
  column: 'name',
  body: (name) => ({ name }),
})
export const deleteDepartment = remover('DELETE /onboarding/department/:id', 'departments', { ForceDelete: true })

export const createUser = maker({
  operation: 'POST /onboarding/user',
  table: 'app_user',
  column: 'email',
  kind: 'users',
  body: (email) => ({ email }),
})
export const changeUser = changer({
  operation: 'PATCH /onboarding/user/:id',
  kind: 'users',
  column: 'first_name',
  body: (firstName) => ({ firstName }),
})

export const createKey = maker({
  operation: 'POST /onboarding/subscriptionkey',
  table: 'subscription_key',
  column: 'name',
  kind: 'keys',
  body: (name) => ({ name }),
})
export const deleteKey = remover('DELETE /onboarding/subscriptionkey/:id', 'keys')

export async function rotateKey(client: Client): Promise<void> {
  const thing = client.pick('keys')
  const which = client.random.pick(['primary', 'secondary'] as const)
  const params = thing && { id: idOf(thing) }
  if (params) await client.call('POST /onboarding/subscriptionkey/:id/rotate', { params, body: { which }, as })
}

export const createTemplate = maker({
  operation: 'POST /documenttemplating/template',
  table: 'document_template',
  column: 'name',
  kind: 'templates',
  body: (name) => ({ name, fileName: 'a.pdf', contentBase64: makePdf(name).toString('base64') }),
})
export const changeTemplate = changer({
  operation: 'PUT /documenttemplating/template/:id',
  kind: 'templates',
  column: 'language',
  values: ['fi', 'sv', 'de'],
  body: (language) => ({ language }),
})
export const deleteTemplate = remover('DELETE /documenttemplating/template/:id', 'templates')

export const createRequestTemplate = maker({
  operation: 'POST /documenttemplating/requesttemplate',
  table: 'request_template',
  column: 'name',
  kind: 'requestTemplates',
  body: (name) => ({ kind: 'signature', name, fields: { subject: name } }),
})
export const changeRequestTemplate = changer({
  operation: 'PUT /documenttemplating/requesttemplate/:id',
  kind: 'requestTemplates',
  column: 'fields',
  body: (subject) => ({ fields: { subject } }),
})
export const deleteRequestTemplate = remover('DELETE /documenttemplating/requesttemplate/:id', 'requestTemplates')

export async function changeTenant(client: Client): Promise<void> {
  await client.call('PATCH /onboarding/tenant', { body: { name: `Tenant ${client.tenant.word}` }, as })
}

/** An invited person sets a password, and either logs in and out by the API or goes to the console. */
export async function welcomeUser(client: Client): Promise<void> {
  const user = client.pick('users')
  if (user === undefined) return
  const params = { id: idOf(user) }
  const invited = await client.call('POST /onboarding/user/:id/invitation', { params, body: { deliver: true }, as })
  if (invited?.status !== 200) return
  const password = 'correct horse battery staple'
  const { token: invitation } = invited.json
  const isAtConsole = client.random.next() < 0.5
  const set = isAtConsole
    ? await setByLink(client, invitation, password)
    : await client.call('POST /identity/password', {
        body: { token: invitation, password },
        mayRefuse: ['InvalidArgument', 'EntityNotFound', 'InvalidOperation'],
      })
  if (set?.status !== 204) return
  if (isAtConsole) {
    await visitConsole(client, user.mark, password)
    return void (await client.call('DELETE /onboarding/user/:id/factor', { params, as, mayRefuse: WRONG_STATE }))
  }
  const entered = await client.call('POST /identity/login', {
    body: { login: user.mark, password },
    mayRefuse: ['AuthenticationError'],
  })
  const token: string | undefined = entered?.json?.token
  if (token === undefined) return
  const headers = { authorization: `Bearer ${token}` }
  await client.call('POST /identity/logout', {
    headers,
    body: { everywhere: false },
    mayRefuse: ['AuthenticationError'],
  })
}

/** Metadata of one of the client's requests: one key, written again and again. */
export async function putMetadata(client: Client): Promise<void> {
  const request = client.pick(client.random.pick(['open', 'finished'] as const))
  if (request === undefined) return
  const entityId = idOf(request)
  const mark = `${entityId} colour`
  const { things } = client.ledger
  const known = things.find((thing) => thing.table === 'metadata' && thing.mark === mark)
  const thing = known ?? client.ask('metadata', 'id', mark)
  const value = client.newMark()
  const reply = await client.call('PUT /metadata/list/:entityType/:entityId', {
    params: { entityType: 'SignatureRequest', entityId },
    body: { metadata: [{ key: 'colour', value }] },
  })
  if (reply?.status === 200) thing.ids.add(mark)
  change(thing, { value }, reply ? 'done' : 'unknown')
}
