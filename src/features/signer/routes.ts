// What the signing page asks for. No key: the link's token makes a session, and a cookie carries it from then on.
import { chooseLanguage, decline, viewDocuments } from '#features/signing/index.ts'
import { route, type Route } from '#platform/http/route.ts'
import { Nothing } from '#platform/http/schema.ts'
import { beginIdentification } from './begin-identification.ts'
import { confirm } from './confirm.ts'
import { exchangeLink } from './exchange-link.ts'
import { finishIdentification } from './finish-identification.ts'
import { RETURN_PATH } from './identification.ts'
import { readShownDocument } from './read-document.ts'
import {
  CodeBody,
  DeclineBody,
  DocumentBytes,
  DocumentPath,
  DocumentQuery,
  IdentificationBody,
  LanguageBody,
  PageBody,
  ProviderAnswerQuery,
  PurposeBody,
  ReportBody,
  SessionBody,
  SignBody,
  VerifyBody,
} from './schemas.ts'
import { reportMessage } from './report-message.ts'
import { sendCode } from './send-code.ts'
import { admitSignatory } from './session.ts'
import { showRequest } from './show-request.ts'
import { getSitting, requireMet, requireShownTo } from './sitting.ts'
import { verifyCode } from './verify-code.ts'

const open = { tag: 'Signatory', permission: 'signer:self', isPublic: true } as const
const forSignatory = { ...open, admitGuest: admitSignatory } as const

/** From one address. Nobody has so many letters. */
const REPORTS_PER_MINUTE = 30

export const signerRoutes: Route[] = [
  route({
    ...open,
    method: 'POST',
    url: '/sign/api/session',
    summary: 'Exchange a personal link for a session',
    description: 'Needs the header X-Countersign-Sign: 1 and the Origin of this service, as every POST here.',
    body: SessionBody,
    response: { 204: Nothing },
    prepare: ({ platform, now }, { body, headers }) =>
      exchangeLink(platform, { ...body, returnUrl: body.returnUrl, isFramed: body.isFramed ?? false, headers, now }),
    handle: async (_work, { prepared }) => prepared,
  }),
  route({
    ...open,
    method: 'POST',
    url: '/sign/api/report',
    summary: 'Report a message as unwanted',
    description:
      'For whoever does not know the sender. Works with every link that was ever sent, once; no more messages about the ' +
      'request follow.',
    callsPerMinute: REPORTS_PER_MINUTE,
    body: ReportBody,
    response: { 204: Nothing },
    prepare: ({ platform, now }, { body, headers }) => reportMessage(platform, { token: body.token, headers, now }),
    handle: async () => undefined,
  }),
  route({
    ...forSignatory,
    method: 'GET',
    url: '/sign/api/request',
    summary: 'Read the signing page',
    description: 'What this signatory may see of the request, and what remains to be done.',
    response: { 200: PageBody },
    handle: async ({ tx, now }, { guest }) => showRequest(await getSitting(tx, guest, now), now),
  }),
  route({
    ...forSignatory,
    method: 'POST',
    url: '/sign/api/code',
    summary: 'Send a one-time code',
    body: PurposeBody,
    response: { 202: CodeBody },
    handle: ({ tx, now }, { guest, body }) => sendCode(tx, { guest, purpose: body.purpose, now }),
  }),
  route({
    ...forSignatory,
    method: 'POST',
    url: '/sign/api/code/verify',
    summary: 'Enter a one-time code',
    body: VerifyBody,
    response: { 204: Nothing },
    handle: ({ tx, now, platform }, { guest, body }) =>
      verifyCode(tx, { guest, purpose: body.purpose, code: body.code, keyring: platform.keyring, now }),
  }),
  route({
    ...forSignatory,
    method: 'POST',
    url: '/sign/api/strong',
    summary: 'Go to the identity provider',
    body: PurposeBody,
    response: { 200: IdentificationBody },
    prepare: ({ platform, now }, { guest, body }) =>
      beginIdentification(platform, { guest, purpose: body.purpose, now }),
    handle: async (_work, { prepared }) => prepared,
  }),
  route({
    ...open,
    method: 'GET',
    url: RETURN_PATH,
    summary: 'Come back from the identity provider',
    description: 'Where providers send people; leads on to the signing page, which tells what came of it.',
    query: ProviderAnswerQuery,
    response: { 303: Nothing },
    prepare: ({ platform, now }, { headers, query }) => finishIdentification(platform, { headers, answer: query, now }),
    handle: async (_work, { prepared }) => prepared,
  }),
  route({
    ...forSignatory,
    method: 'GET',
    url: '/sign/api/document/:id',
    summary: 'Read a document to sign',
    params: DocumentPath,
    query: DocumentQuery,
    response: { 200: DocumentBytes, 206: DocumentBytes, 304: Nothing },
    responseType: 'application/pdf',
    prepare: ({ platform, now }, { guest, params, query, headers }) =>
      readShownDocument(platform, {
        guest,
        documentId: params.id,
        sha256: query.sha256?.toLowerCase(),
        isDownload: query.download ?? false,
        headers,
        now,
      }),
    handle: async (_work, { prepared }) => prepared,
  }),
  route({
    ...forSignatory,
    method: 'POST',
    url: '/sign/api/viewed',
    summary: 'Report a viewing',
    description: 'Says that the documents are open in front of the signatory.',
    response: { 204: Nothing },
    handle: async ({ tx, now }, { guest }) => {
      requireMet(await getSitting(tx, guest, now), 'reading')
      await viewDocuments(tx, { ...guest, now })
    },
  }),
  route({
    ...forSignatory,
    method: 'POST',
    url: '/sign/api/sign',
    summary: 'Sign the documents',
    description: 'The hashes are those of the documents as the page showed them; all documents of the request.',
    body: SignBody,
    response: { 202: Nothing },
    handle: async ({ tx, now }, { guest, body }) => {
      requireShownTo(guest, body.signatoryId)
      await confirm(tx, { guest, documents: body.documents, mark: body.mark, now })
    },
  }),
  route({
    ...forSignatory,
    method: 'POST',
    url: '/sign/api/decline',
    summary: 'Decline to sign',
    body: DeclineBody,
    response: { 204: Nothing },
    handle: async ({ tx, now }, { guest, body }) => {
      requireShownTo(guest, body.signatoryId)
      requireMet(await getSitting(tx, guest, now), 'reading')
      await decline(tx, { ...guest, reason: body.reason, now })
    },
  }),
  route({
    ...forSignatory,
    method: 'POST',
    url: '/sign/api/language',
    summary: 'Choose a language, for pages and messages',
    body: LanguageBody,
    response: { 204: Nothing },
    handle: ({ tx }, { guest, body }) => chooseLanguage(tx, { ...guest, languageCode: body.language }),
  }),
]
