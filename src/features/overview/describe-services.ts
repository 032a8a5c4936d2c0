import { describeDamage, summariseDamage } from '#features/storage/index.ts'
import type { Config } from '#platform/config/config.ts'
import type { Tx } from '#platform/db/database.ts'
import { identityProviderTrouble, TROUBLE } from '#platform/troubles/trouble-names.ts'
import { listTroubles } from '#platform/troubles/trouble-statements.ts'

export type ServiceName = 'mail' | 'sms' | 'timestamps' | 'log' | 'identityprovider' | 'storage'
export type ServiceHealth = {
  name: ServiceName
  state: 'Working' | 'Failing' | 'NotConfigured'
  detail: string | null
  sinceDate: Date | null
}

/** Identity providers have their area code behind it. What is not here is no service, and told in other places. */
const TROUBLES: [begins: string, name: ServiceName][] = [
  [TROUBLE.mail, 'mail'],
  [TROUBLE.sms, 'sms'],
  [TROUBLE.timestamps, 'timestamps'],
  [identityProviderTrouble(''), 'identityprovider'],
  [TROUBLE.history, 'log'],
]

type Question = { tenantId: string; now: Date; config: Pick<Config, 'mail' | 'sms' | 'timestamps'> }

/** What is outside of us: whether it is configured, and whether it answered when it was last asked. */
export async function describeServices(tx: Tx, { tenantId, now, config }: Question): Promise<ServiceHealth[]> {
  const { mail, sms, timestamps } = config
  const troubles = await listTroubles.many(tx, {})
  const failing = troubles.flatMap(({ name: trouble, detail, since }): ServiceHealth[] => {
    const [, name] = TROUBLES.find(([begins]) => trouble.startsWith(begins)) ?? []
    return name === undefined ? [] : [{ name, state: 'Failing', detail, sinceDate: since }]
  })
  failing.push(...(await describeStorage(tx, { tenantId, now })))
  const usual: ServiceHealth[] = [
    well('mail', mail !== undefined),
    well('sms', sms !== undefined),
    { ...well('timestamps', true), detail: timestamps?.url ?? 'the authority of this installation' },
  ]
  return [...failing, ...usual.filter(({ name }) => !failing.some((other) => other.name === name))]
}

/** Files of the tenant itself alone: what others have stored concerns nobody but them and the operator. */
async function describeStorage(tx: Tx, of: { tenantId: string; now: Date }): Promise<ServiceHealth[]> {
  const found = await summariseDamage(tx, of)
  return found === undefined
    ? []
    : [{ name: 'storage', state: 'Failing', detail: describeDamage(found), sinceDate: found.foundAt }]
}

function well(name: ServiceName, isConfigured: boolean): ServiceHealth {
  return { name, state: isConfigured ? 'Working' : 'NotConfigured', detail: null, sinceDate: null }
}
