import type { Timestamper } from '#pades/sign.ts'
import { parseCertificate, type Certificate } from '#pki/certificate.ts'
import { cmsTemplate, type CmsTemplate } from '#pki/cms.ts'
import { PkiError } from '#pki/errors.ts'
import { validatePath } from '#pki/path.ts'
import type { RawSigner } from '#pki/raw-signer.ts'
import { issueTimestampToken } from '#pki/timestamp-authority.ts'
import { requestTimestamp, type TimestampService } from '#pki/timestamp.ts'
import { askTimestampAuthority } from '#platform/outbound/timestamp-client.ts'
import type { Platform } from '#platform/platform.ts'
import { TROUBLE } from '#platform/troubles/trouble-names.ts'
import { watchTrouble } from '#platform/troubles/troubles.ts'
import { ensureInstallation } from './installation.ts'
import { requireOurTime } from './timestamp-time.ts'

/** Stamps with the authority that the operator has chosen, or else with our own. It throws where none can be had. */
export function timestamper(platform: Platform): Timestamper {
  const { timestamps } = platform.config
  if (timestamps === undefined) return embedded(platform)
  const anchors = timestamps.anchors.map(parseCertificate)
  const service: TimestampService = {
    send: (request) => askTimestampAuthority(timestamps.url, request),
    requireTrusted: (authority, certificates, time) => requireTrusted({ authority, certificates, anchors, time }),
  }
  return (imprint) =>
    watchTrouble(platform, TROUBLE.timestamps, async () => {
      const askedAt = platform.clock.now()
      const { der, info } = await requestTimestamp({ ...imprint, now: askedAt }, service)
      await requireOurTime(platform, info.time, { askedAt, answeredAt: platform.clock.now() })
      return der
    })
}

const templates = new WeakMap<RawSigner, CmsTemplate>()

function embedded(platform: Platform): Timestamper {
  return async (imprint) => {
    const now = platform.clock.now()
    const { timestamp: signer } = await ensureInstallation(platform, now)
    const template = templates.get(signer) ?? cmsTemplate(signer)
    templates.set(signer, template)
    // No nonce and no checks: nobody stands between us and ourselves, and the whole file is judged in the end.
    return issueTimestampToken(imprint, { signer, template }, { now })
  }
}

type Trust = { authority: Certificate; certificates: Certificate[]; anchors: Certificate[]; time: Date }

function requireTrusted({ authority, certificates, anchors, time }: Trust): void {
  const question = { certificate: authority, intermediates: certificates, anchors, time, purpose: 'timestamp' } as const
  const [problem] = validatePath(question).problems
  if (problem !== undefined) {
    throw new PkiError('timestamp-invalid', `The timestamp authority is not trusted: ${problem.message}`)
  }
}
