import { trustAnchors } from '#features/certificates/index.ts'
import { HistoryPath, requireHistory, SealingHistoryPath, type RequestKind } from '#features/event/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { route } from '#platform/http/route.ts'
import { Nothing } from '#platform/http/schema.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { answerCheckpoint, answerKeys, answerTile } from './answer-log.ts'
import { checkHistory } from './check-history.ts'
import { proveHistory } from './prove-history.ts'
import { CheckpointText, HistoryProof, HistoryVerification, KeyLines, TILE_PATHS, TileBytes } from './schemas.ts'

const published = { method: 'GET', tag: 'Log', permission: 'log:read', isPublic: true } as const
const PARTS = ['', ' by two parts', ' by three parts', ' by four parts']

const proof = {
  method: 'GET',
  description:
    'The whole history of a request, the place of each event in the log, and the signed, timestamped checkpoint that ' +
    'covers them. Verify it offline: countersign history verify FILE.',
  tag: 'Event',
  permission: 'event:read',
  knowsUserInactive: true,
  response: { 200: HistoryProof },
} as const

const verification = {
  method: 'GET',
  description: 'Checks the history as it is stored now: chain, signatures, places in the log, timestamp.',
  tag: 'Event',
  permission: 'event:read',
  knowsUserInactive: true,
  response: { 200: HistoryVerification },
} as const

type Wanted = { caller: Caller; requestId: string; requestKind: RequestKind; keyring: Keyring }

async function prove(tx: Tx, { caller, requestId, requestKind, keyring }: Wanted) {
  await requireHistory(tx, { caller, requestId, requestKind })
  return proveHistory(tx, { tenantId: caller.tenantId, requestId, requestKind, keyring })
}

async function check(tx: Tx, { caller, requestId, requestKind, keyring }: Wanted, anchors: readonly Buffer[]) {
  await requireHistory(tx, { caller, requestId, requestKind })
  return checkHistory(tx, { tenantId: caller.tenantId, requestId, requestKind, keyring, anchors })
}

export const historyRoutes = [
  route({
    ...proof,
    url: '/event/signaturerequest/:signatureRequestId/proof',
    summary: 'Prove a history',
    params: HistoryPath,
    handle: ({ tx, platform: { keyring } }, { caller, params: { signatureRequestId: requestId } }) =>
      prove(tx, { caller, requestId, requestKind: 'signaturerequest', keyring }),
  }),
  route({
    ...proof,
    url: '/event/sealingrequest/:sealingRequestId/proof',
    summary: 'Prove a sealing request’s history',
    params: SealingHistoryPath,
    handle: ({ tx, platform: { keyring } }, { caller, params: { sealingRequestId: requestId } }) =>
      prove(tx, { caller, requestId, requestKind: 'sealingrequest', keyring }),
  }),
  route({
    ...verification,
    url: '/event/signaturerequest/:signatureRequestId/verification',
    summary: 'Verify a history',
    params: HistoryPath,
    prepare: ({ platform }) => trustAnchors(platform),
    handle: ({ tx, platform: { keyring } }, { caller, params, prepared: anchors }) => {
      const { signatureRequestId: requestId } = params
      return check(tx, { caller, requestId, requestKind: 'signaturerequest', keyring }, anchors)
    },
  }),
  route({
    ...verification,
    url: '/event/sealingrequest/:sealingRequestId/verification',
    summary: 'Verify a sealing request’s history',
    params: SealingHistoryPath,
    prepare: ({ platform }) => trustAnchors(platform),
    handle: ({ tx, platform: { keyring } }, { caller, params, prepared: anchors }) => {
      const { sealingRequestId: requestId } = params
      return check(tx, { caller, requestId, requestKind: 'sealingrequest', keyring }, anchors)
    },
  }),
  route({
    ...published,
    url: '/log/checkpoint',
    summary: 'Get the log checkpoint',
    description: 'The newest size and root of the log over the events of all tenants, signed (C2SP tlog-checkpoint).',
    response: { 200: CheckpointText, 204: Nothing },
    responseType: 'text/plain; charset=utf-8',
    handle: ({ tx }) => answerCheckpoint(tx),
  }),
  route({
    ...published,
    url: '/log/key',
    summary: 'Get the log keys',
    description: 'The public keys with which checkpoints are verified, the present one first.',
    response: { 200: KeyLines },
    responseType: 'text/plain; charset=utf-8',
    handle: ({ tx, platform: { keyring } }) => answerKeys(tx, keyring),
  }),
  ...TILE_PATHS.map(({ url, params }, index) =>
    route({
      ...published,
      url: `/log/tile/:level/${url}`,
      summary: `Get a tile${PARTS[index]}`,
      description:
        'Up to 256 hashes of the log, addressed as in C2SP tlog-tiles: /log/tile/0/x001/x234/067, or with .p/17 behind ' +
        'it for the first 17 hashes of a tile that is not full.',
      params,
      errorStatuses: { notFound: 404 },
      response: { 200: TileBytes },
      responseType: 'application/octet-stream',
      handle: ({ tx }, { params: { level, ...parts } }) => answerTile(tx, level, Object.values(parts).join('/')),
    }),
  ),
]
