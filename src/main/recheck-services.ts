import { readRemoteIdentity, tryTimestamp } from '#features/certificates/index.ts'
import { describeError } from '#platform/log/log.ts'
import { checkMailServer } from '#platform/mail/mailer.ts'
import type { Platform } from '#platform/platform.ts'
import { remoteSignerTrouble, TROUBLE } from '#platform/troubles/trouble-names.ts'
import { noteTrouble, readTroubles } from '#platform/troubles/troubles.ts'

/** Asks services that failed whether they work again, so that nobody has to need one before its trouble is over. */
export async function recheckServices(platform: Platform): Promise<void> {
  const { mail, timestamps, remoteKeys } = platform.config
  const troubles = await readTroubles(platform)
  if (mail && troubles.includes(TROUBLE.mail)) await ask(platform, TROUBLE.mail, () => checkMailServer(mail))
  // A timestamp tells by itself whether the clocks agree again.
  if (timestamps && [TROUBLE.timestamps, TROUBLE.timestampClock].some((name) => troubles.includes(name)))
    await ask(platform, TROUBLE.timestamps, () => tryTimestamp(platform))
  for (const key of remoteKeys.values()) {
    const trouble = remoteSignerTrouble(key.name)
    if (troubles.includes(trouble)) await ask(platform, trouble, () => readRemoteIdentity(platform, key))
  }
}

async function ask(platform: Platform, service: string, check: () => Promise<unknown>): Promise<void> {
  try {
    await check()
    await noteTrouble(platform, service, undefined)
  } catch (error) {
    platform.log.info({ service, error: describeError(error) }, 'a service still does not work')
  }
}
