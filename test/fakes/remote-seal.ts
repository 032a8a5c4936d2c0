// A seal of one tenant whose key lies with a remote signing service, and the operator's files that tell of it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeRoot, makeSealCertificate } from '#pki/authority.ts'
import { generateKey, memoryKey, memorySigner } from '#pki/raw-signer.ts'
import { ACCESS_TOKEN, startCscServer, type CscServer } from './csc-server.ts'
import { startRevocationServer } from './revocation-server.ts'

export const REMOTE_SEAL = 'acme-seal'

export type RemoteSeal = {
  remote: CscServer
  /** What a service has to be started with to know the key. */
  environment: Record<string, string>
  /** Changes the PIN that the operator's file holds. */
  writePin(pin: string): void
  stop(): Promise<void>
}

export type RemoteSealOptions = { tenantId: string; pin: string; now?: () => Date }

export async function startRemoteSeal({
  tenantId,
  pin,
  now = () => new Date(),
}: RemoteSealOptions): Promise<RemoteSeal> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-csc-'))
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content, { mode: 0o600 })
  const revocation = await startRevocationServer(now)
  const remote = await startSigner()

  async function startSigner(): Promise<CscServer> {
    const root = await generateKey('ES256')
    const key = memoryKey(root.privateKey, 'ES256')
    const made = { name: 'Remote root', now: now() }
    const rootCertificate = await makeRoot({ publicKey: root.publicKey, key, ...made })
    const issuer = memorySigner({ certificate: rootCertificate, chain: [], algorithm: 'ES256', ...root })
    const { publicKey, privateKey } = await generateKey('ES256')
    const subject = { ...made, publicKey, name: 'Remote seal', organization: 'Acme', baseUrl: revocation.origin }
    const certificate = await makeSealCertificate(issuer, subject)
    revocation.answerFor(issuer, certificate)
    return startCscServer({ certificates: [certificate, rootCertificate], privateKey, pin, form: 'der' })
  }

  write('token', ACCESS_TOKEN)
  write('pin', pin)
  const key = { name: REMOTE_SEAL, tenantId, url: remote.url, credentialId: 'seal-1', algorithm: 'ES256' }
  write('keys.json', JSON.stringify([{ ...key, accessTokenFile: 'token', secretFiles: { PIN: 'pin' } }]))
  return {
    remote,
    environment: {
      COUNTERSIGN_REVOCATION_ORIGINS: revocation.origin,
      COUNTERSIGN_CSC_FILE: join(folder, 'keys.json'),
    },
    writePin: (next) => write('pin', next),
    async stop() {
      await remote.stop()
      await revocation.close()
      rmSync(folder, { recursive: true })
    },
  }
}
