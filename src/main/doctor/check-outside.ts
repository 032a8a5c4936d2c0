// What lies outside of the installation: mail, text messages, identity providers, and how people find the service.
import type { Config } from '#platform/config/config.ts'
import { publicAddress } from '#platform/config/public-address.ts'
import { checkMailServer } from '#platform/mail/mailer.ts'
import { fetchBytes } from '#platform/outbound/fetch-bytes.ts'
import { bad, good, look, type Finding } from './finding.ts'
import { describeReason } from './describe-reason.ts'

const WITHIN_MS = 10_000
const MOST_BYTES = 256 * 1024

/** Greets and logs in at the mail server; nothing is sent. */
export async function checkMail({ mail, sms }: Config): Promise<Finding[]> {
  const smsFound = good('text messages', sms ? `go to ${new URL(sms.url).host}` : 'stay in the outbox')
  if (mail === undefined) return [good('mail', 'stays in the outbox, as SMTP_URL is not set'), smsFound]
  await checkMailServer(mail)
  return [good('mail', `${mail.host}:${mail.port} answers${mail.login ? ' and takes the login' : ''}`), smsFound]
}

/** Asks each identity provider to describe itself. */
export async function checkIdentityProviders({ identityProviders }: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { areaCode, issuer } of identityProviders.values()) {
    const name = `identity provider ${areaCode}`
    try {
      await ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
      findings.push(good(name, `${issuer} answers`))
    } catch (error) {
      findings.push(bad(name, describeReason(error), 'Check its issuer in COUNTERSIGN_OIDC_FILE, and the way there.'))
    }
  }
  return findings
}

/** Whether the address that people are given leads to a Countersign. */
export async function checkPublicAddress(config: Config): Promise<Finding> {
  const name = 'public address'
  const { publicUrl } = config
  if (publicUrl === undefined) {
    const found = `not set: links begin with ${publicAddress(config)}, which works on this machine alone`
    return look(name, found, 'Set COUNTERSIGN_PUBLIC_URL to the address that people see.')
  }
  const fix = `Make ${publicUrl} lead to this service: see the proxy in front, its certificate, and that the service runs.`
  try {
    const { status } = JSON.parse((await ask(`${publicUrl}/healthz`)).toString()) as { status?: string }
    if (status === 'alive') return good(name, `${publicUrl} leads to a Countersign that is alive`)
    return bad(name, `${publicUrl} is answered by something else`, fix)
  } catch (error) {
    return bad(name, describeReason(error), fix)
  }
}

function ask(url: string): Promise<Buffer> {
  return fetchBytes({ url, method: 'GET', isChosenByOperator: true, timeoutMs: WITHIN_MS, mostBytes: MOST_BYTES })
}
