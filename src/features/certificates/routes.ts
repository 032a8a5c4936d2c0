import { route } from '#platform/http/route.ts'
import { Nothing, Type } from '#platform/http/schema.ts'
import { addSeal } from './add-seal.ts'
import { answerAuthority, answerStatus, readRequest } from './answer-world.ts'
import { readAuthorities } from './read-authorities.ts'
import { listSeals } from './read-seals.ts'
import { revokeSeal } from './revoke-seals.ts'
import {
  AuthorityListing,
  AuthorityPath,
  CertificateBody,
  CertificateInput,
  CertificateListing,
  CertificatePath,
  CertificateQuery,
  StatusPath,
} from './schemas.ts'

const Bytes = () => Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })
const published = { tag: 'Certificates', permission: 'authority:read', isPublic: true } as const

export const certificateRoutes = [
  route({
    method: 'GET',
    url: '/sealing/authority',
    summary: 'Read the authorities, above every certificate',
    description: 'The chain that certificates are issued under, and the authority that stamps times, with their ends.',
    tag: 'Sealing',
    permission: 'certificate:read',
    response: { 200: AuthorityListing },
    handle: ({ tx, now, platform: { config } }, { caller }) => readAuthorities(tx, { caller, config, now }),
  }),
  route({
    method: 'GET',
    url: '/sealing/certificate',
    summary: 'List seal certificates, newest first',
    tag: 'Sealing',
    permission: 'certificate:read',
    query: CertificateQuery,
    response: { 200: CertificateListing },
    handle: ({ tx }, { caller, query }) => listSeals(tx, { caller, ...query }),
  }),
  route({
    method: 'POST',
    url: '/sealing/certificate',
    summary: 'Create a seal certificate',
    description:
      'Exactly one of pkcs12, pem, remoteKey and generate. The certificate is Pending until it has been checked, then Active, ' +
      'or Failed with a reason; an Active one takes the place of the department’s earlier one.',
    tag: 'Sealing',
    permission: 'certificate:write',
    body: CertificateInput,
    response: { 202: CertificateBody },
    handle: ({ tx, now, platform }, { caller, body }) => addSeal(tx, { caller, given: body, platform, now }),
  }),
  route({
    method: 'DELETE',
    url: '/sealing/certificate/:id',
    summary: 'Revoke a seal certificate',
    description: 'Nothing is sealed with it any more. What has been sealed stays valid by its timestamps.',
    tag: 'Sealing',
    permission: 'certificate:write',
    params: CertificatePath,
    response: { 200: CertificateBody },
    handle: ({ tx, now }, { caller, params }) => revokeSeal(tx, { caller, id: params.id, now }),
  }),
  route({
    ...published,
    method: 'GET',
    url: '/pki/:keyId/authority.cer',
    summary: 'Download an authority’s certificate',
    params: AuthorityPath,
    response: { 200: Bytes(), 204: Nothing },
    responseType: 'application/pkix-cert',
    handle: ({ tx }, { params }) => answerAuthority(tx, params.keyId, 'certificate'),
  }),
  route({
    ...published,
    method: 'GET',
    url: '/pki/:keyId/authority.crl',
    summary: 'Download an authority’s revocation list',
    params: AuthorityPath,
    response: { 200: Bytes(), 204: Nothing },
    responseType: 'application/pkix-crl',
    handle: ({ tx }, { params }) => answerAuthority(tx, params.keyId, 'crl'),
  }),
  route({
    ...published,
    method: 'POST',
    url: '/pki/:keyId/ocsp',
    summary: 'Check a certificate’s status, by OCSP',
    description: 'RFC 6960: whether a certificate of this installation is good.',
    params: AuthorityPath,
    body: Bytes(),
    bodyKind: 'stream',
    isBodyOptional: true,
    response: { 200: Bytes() },
    responseType: 'application/ocsp-response',
    prepare: (_outside, { stream }) => readRequest(stream),
    handle: ({ tx }, { params, prepared }) => answerStatus(tx, params.keyId, prepared),
  }),
  route({
    ...published,
    method: 'GET',
    url: '/pki/:keyId/ocsp/:request',
    summary: 'Check a certificate’s status by GET',
    description: 'RFC 6960 appendix A.1: the request encoded as Base64 in the path.',
    params: StatusPath,
    response: { 200: Bytes() },
    responseType: 'application/ocsp-response',
    handle: ({ tx }, { params }) => answerStatus(tx, params.keyId, Buffer.from(params.request, 'base64')),
  }),
]
