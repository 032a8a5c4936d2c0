import { readPage } from '#platform/http/paging.ts'
import { route, type Route } from '#platform/http/route.ts'
import type { MessageRegistry } from './facts.ts'
import { listOutbox, openMessage, showMessage } from './outbox.ts'
import { MessageBody, MessageList, MessagePath, MessagesQuery } from './schemas.ts'

const tag = 'Messages'

export function messageRoutes(registry: MessageRegistry): Route[] {
  return [
    route({
      method: 'GET',
      url: '/messages',
      summary: 'List messages, newest first',
      description: 'What became of each message, without what it says.',
      tag,
      permission: 'message:read',
      query: MessagesQuery,
      response: { 200: MessageList },
      handle: ({ tx, platform: { config } }, { caller, query }) =>
        listOutbox(tx, { caller, wanted: query, take: readPage(query).take, config }),
    }),
    route({
      method: 'GET',
      url: '/messages/:messageId',
      summary: 'Read a message, of the outbox',
      description:
        'With its link or code. Only while no gateway is configured for its channel; each reading is an event in the history of the signature request.',
      tag,
      permission: 'message:read',
      leavesTrace: true,
      params: MessagePath,
      response: { 200: MessageBody },
      prepare: ({ platform }, { caller, params }) => openMessage(platform, registry, { caller, ...params }),
      handle: ({ tx, now }, { caller, prepared }) => showMessage(tx, { caller, opened: prepared, now }),
    }),
  ]
}
