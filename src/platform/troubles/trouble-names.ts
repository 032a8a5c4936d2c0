// What can be in trouble although the service works, as readiness calls it.
import type { Config } from '#platform/config/config.ts'

export const TROUBLE = {
  mail: 'mail',
  sms: 'sms',
  timestamps: 'timestamp authority',
  timestampClock: 'timestamp clock',
  history: 'history',
  historyLog: 'history log',
  queue: 'queue',
  certificates: 'certificates',
  files: 'stored files',
  worker: 'worker',
} as const

export const identityProviderTrouble = (areaCode: string) => `identity provider ${areaCode}`
export const remoteSignerTrouble = (name: string) => `remote signer ${name}`

/** The troubles that an installation with these settings can have. */
export function possibleTroubles(
  config: Pick<Config, 'mail' | 'sms' | 'timestamps' | 'identityProviders' | 'remoteKeys'>,
): string[] {
  const { mail, sms, timestamps, identityProviders, remoteKeys } = config
  return [
    ...(mail ? [TROUBLE.mail] : []),
    ...(sms ? [TROUBLE.sms] : []),
    ...(timestamps ? [TROUBLE.timestamps, TROUBLE.timestampClock] : []),
    ...[...identityProviders.keys()].map(identityProviderTrouble),
    ...[...remoteKeys.keys()].map(remoteSignerTrouble),
    TROUBLE.history,
    TROUBLE.historyLog,
    TROUBLE.queue,
    TROUBLE.certificates,
    TROUBLE.files,
  ]
}
