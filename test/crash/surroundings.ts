// What is around the service and can fail: a timestamp authority, a mail server, receivers of webhooks. Each keeps what
// it was given, which is later held against what the service says it gave.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeTestAuthority } from '#pades/testing/authority.ts'
import { startMailServer, type MailServer } from '../fakes/mail-server.ts'
import { certificatePem } from '../fakes/openssl.ts'
import { startTimestampServer, type TimestampServer } from '../fakes/timestamp-server.ts'
import { makeReceiverAuthority, startReceiver, type Receiver } from '../fakes/webhook-receiver.ts'

export type Surroundings = {
  timestamps: TimestampServer
  mail: MailServer
  receiver: Receiver
  /** The certificate (DER) of the timestamp authority. */
  timestampRoot: Buffer
  /** What tells the service where they are. */
  environment: Record<string, string>
  stop(): Promise<void>
}

export async function startSurroundings(): Promise<Surroundings> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-around-'))
  const authorityFile = join(folder, 'authority.pem')
  const { tsaSigner } = await makeTestAuthority('ES256', new Date())
  writeFileSync(authorityFile, certificatePem(tsaSigner.certificate))
  const receivers = await makeReceiverAuthority()
  const [timestamps, mail, receiver] = await Promise.all([
    startTimestampServer(tsaSigner, () => new Date()),
    startMailServer(),
    startReceiver(await receivers.issue(['localhost'])),
  ])
  return {
    timestamps,
    mail,
    receiver,
    timestampRoot: tsaSigner.certificate,
    environment: {
      COUNTERSIGN_TSA_URL: timestamps.url,
      COUNTERSIGN_TSA_CA_FILE: authorityFile,
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      COUNTERSIGN_MAIL_FROM: 'sign@example.com',
      COUNTERSIGN_ALLOW_INSECURE_HOOKS: 'true',
      COUNTERSIGN_HOOKS_CA_FILE: receivers.caFile,
    },
    async stop() {
      await Promise.all([timestamps.close(), mail.stop(), receiver.stop()])
      receivers.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
