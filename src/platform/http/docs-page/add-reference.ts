// /openapi.json and /docs: open to everybody, and complete without the internet.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenApiDocument } from '../openapi/document.ts'
import { ASK_EACH_TIME, FOR_GOOD, makeAsset, sendAsset, type Asset } from './asset.ts'
import { PAGE_POLICY, START_SCRIPT, writePage } from './page.ts'
import { loadReferenceBundle } from './reference-bundle.ts'

const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

type Reference = { page: Asset; scripts: Map<string, Asset> }

/** Serves the document at /openapi.json and the page at /docs, and leads the front door there. */
export function addReference(app: FastifyInstance, { document }: { document: OpenApiDocument }): void {
  const openApi = onFirstUse(() =>
    makeAsset(JSON.stringify(document), 'application/json; charset=utf-8', ASK_EACH_TIME),
  )
  const reference = onFirstUse(makeReference)

  app.get('/', async (_request, reply) => reply.redirect('/docs', 302))
  app.get('/openapi.json', async (request, reply) => sendAsset(request, reply, await openApi()))
  app.get('/docs', async (request, reply) => sendPage(request, reply, (await reference()).page))
  app.get<{ Params: { name: string } }>('/docs/:name', async (request, reply) => {
    const script = (await reference()).scripts.get(request.params.name)
    return script === undefined ? reply.callNotFound() : sendAsset(request, reply, script)
  })
}

async function makeReference(): Promise<Reference> {
  const bundle = await makeAsset(await loadReferenceBundle(), SCRIPT_TYPE, FOR_GOOD)
  const start = await makeAsset(START_SCRIPT, SCRIPT_TYPE, FOR_GOOD)
  const names = { bundle: `reference-${bundle.hash}.js`, start: `start-${start.hash}.js` }
  const text = writePage({ bundle: `/docs/${names.bundle}`, start: `/docs/${names.start}` })
  return {
    page: await makeAsset(text, 'text/html; charset=utf-8', ASK_EACH_TIME),
    scripts: new Map([
      [names.bundle, bundle],
      [names.start, start],
    ]),
  }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Asset): FastifyReply {
  reply.headers({ 'content-security-policy': PAGE_POLICY, 'referrer-policy': 'no-referrer' })
  return sendAsset(request, reply, page)
}

/** Makes it when it is first asked for, once; a failure is not kept. */
function onFirstUse<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
