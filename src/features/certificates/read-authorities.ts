import { parseCertificate } from '#pki/certificate.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Config } from '#platform/config/config.ts'
import type { Tx } from '#platform/db/database.ts'
import { listIssuingCertificates } from './certificate-statements.ts'
import { listInstallationCertificates } from './installation-statements.ts'
import { keyIdOf } from './publish.ts'
import { describeCertificate } from './seal-body.ts'

type ReadAuthorities = { caller: Caller; config: Pick<Config, 'timestamps'>; now: Date }

/** The chain above the tenant's certificates and the authority that stamps times: what ends when. */
export async function readAuthorities(tx: Tx, { caller, config, now }: ReadAuthorities) {
  const issuing = await listIssuingCertificates.many(tx, { tenantId: caller.tenantId, now })
  const installation = await listInstallationCertificates.many(tx, { now })
  const ofKind = (kind: 'root' | 'timestamp') => installation.filter((found) => found.kind === kind).map(describe)
  return {
    issuing: issuing.map(describe),
    root: ofKind('root'),
    timestamp: {
      origin: config.timestamps === undefined ? ('own' as const) : ('outside' as const),
      host: config.timestamps === undefined ? null : new URL(config.timestamps.url).host,
      certificates: config.timestamps === undefined ? ofKind('timestamp') : [],
    },
  }
}

function describe({ certificate }: { certificate: Buffer }) {
  const keyId = keyIdOf(parseCertificate(certificate)).toString('hex')
  return { ...describeCertificate(certificate), keyId }
}
