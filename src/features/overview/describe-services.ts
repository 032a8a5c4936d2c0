import type { Config } from '#platform/config/config.ts'
import type { Tx } from '#platform/db/database.ts'
import { listTroubles } from '#platform/troubles/trouble-statements.ts'

export type ServiceName = 'mail' | 'sms' | 'timestamps' | 'log' | 'identityprovider'
export type ServiceHealth = {
  name: ServiceName
  state: 'Working' | 'Failing' | 'NotConfigured'
  detail: string | null
  sinceDate: Date | null
}

/** As the parts that notice troubles call them; identity providers have their area code behind it. */
const TROUBLES: [begins: string, name: ServiceName][] = [
  ['mail', 'mail'],
  ['sms', 'sms'],
  ['timestamp authority', 'timestamps'],
  ['identity provider', 'identityprovider'],
]

/** What is outside of us: whether it is configured, and whether it answered when it was last asked. */
export async function describeServices(
  tx: Tx,
  { mail, sms, timestamps }: Pick<Config, 'mail' | 'sms' | 'timestamps'>,
): Promise<ServiceHealth[]> {
  const troubles = await listTroubles.many(tx, {})
  const failing = troubles.map(({ name, detail, since }): ServiceHealth => {
    const known = TROUBLES.find(([begins]) => name.startsWith(begins))
    return { name: known?.[1] ?? 'log', state: 'Failing', detail, sinceDate: since }
  })
  const usual: ServiceHealth[] = [
    well('mail', mail !== undefined),
    well('sms', sms !== undefined),
    { ...well('timestamps', true), detail: timestamps?.url ?? 'the authority of this installation' },
  ]
  return [...failing, ...usual.filter(({ name }) => !failing.some((other) => other.name === name))]
}

function well(name: ServiceName, isConfigured: boolean): ServiceHealth {
  return { name, state: isConfigured ? 'Working' : 'NotConfigured', detail: null, sinceDate: null }
}
