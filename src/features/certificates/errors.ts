import { errorKind, quote } from '#platform/errors.ts'

export const noSealCertificate = errorKind(
  {
    code: 7210,
    classification: 'InvalidOperation',
    meaning: 'Neither the department nor one above it has a seal certificate that is valid now.',
  },
  () =>
    'Neither this department nor one above it has a seal certificate that is valid now. ' +
    'An administrator can make one: POST /sealing/certificate {"generate": true}.',
)

export const sealCertificateRevoked = errorKind(
  {
    code: 7211,
    classification: 'InvalidOperation',
    meaning: 'The authority of the seal certificate, or one above it, says that it has been revoked.',
  },
  () => 'The seal certificate, or one of an authority above it, has been revoked. Another one is needed to seal.',
)

export const certificateNotFound = errorKind(
  { code: 2210, classification: 'EntityNotFound', meaning: 'There is no such seal certificate.' },
  (id: string) => `There is no seal certificate with the id ${quote(id)}.`,
)

export const oneSourceNeeded = errorKind(
  {
    code: 1210,
    classification: 'InvalidArgument',
    meaning:
      'A seal certificate comes from exactly one of: a PKCS #12 file, PEM text, a remote signer, or the service itself.',
  },
  () => 'Give exactly one of pkcs12, pem, remoteKey and generate: true.',
)

export const notBase64 = errorKind(
  { code: 1211, classification: 'InvalidArgument', meaning: 'A PKCS #12 file must be sent as Base64.' },
  () => 'pkcs12: must be the file encoded as Base64.',
)

export const remoteKeyGone = errorKind(
  {
    code: 7212,
    classification: 'InvalidOperation',
    meaning: 'The key of the seal lies with a remote signing service that is not set up any more.',
  },
  (name: string) => `The operator has not set up the remote key ${quote(name)} of the seal any more.`,
)

export const remoteSignerRefused = errorKind(
  {
    code: 7213,
    classification: 'InvalidOperation',
    meaning: 'The remote signing service that holds the key of the seal refused to sign.',
  },
  ({ message }: Error) => message,
)
