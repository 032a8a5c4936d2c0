import { ICONS } from '../icons.ts'
import { formatAmount, formatCount } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Moment } from '../parts/moment.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import type { Answer } from '../service.ts'

type State = Answer<'readOverview'>
type Health = NonNullable<State['services']>[number]

/** Jobs are begun within a second; beyond this the worker is behind, or gone. */
const LATE_AFTER_S = 60

const NAMES: Record<Health['name'], string> = {
  mail: 'E-mail',
  sms: 'Text messages',
  timestamps: 'Timestamp authority',
  log: 'Log of events',
  identityprovider: 'Identity provider',
  storage: 'Stored files',
}

const UNCONFIGURED: Partial<Record<Health['name'], string>> = {
  mail: 'Messages lie in the outbox. SMTP_URL sends them.',
  sms: 'COUNTERSIGN_SMS_URL names the gateway.',
}

/** Whether what we send arrives, for those who look after it. */
export function HealthCard({ state: { services, webhooks, jobs } }: { state: State }) {
  if (services === null || webhooks === null || jobs === null) return null
  return (
    <Card title="Delivery">
      <Rows label="Delivery">
        {services.map((health) => (
          <ServiceRow key={health.name + health.detail} health={health} />
        ))}
        <Row
          title="Webhooks"
          detail={
            webhooks.active + webhooks.paused + webhooks.disabled === 0
              ? 'Nobody is subscribed.'
              : [
                  formatCount(webhooks.active, 'active', 'active'),
                  webhooks.paused > 0 && `${webhooks.paused} paused`,
                  webhooks.disabled > 0 && `${webhooks.disabled} disabled`,
                ]
                  .filter(Boolean)
                  .join(', ')
          }
          state={webhooks.failing + webhooks.disabled > 0 ? <Failing /> : <Working />}
        />
        <Row
          title="Queue"
          detail={describeQueue(jobs)}
          state={jobs.lagSeconds > LATE_AFTER_S ? <Failing /> : <Working />}
        />
      </Rows>
    </Card>
  )
}

function ServiceRow({ health: { name, state, detail, sinceDate } }: { health: Health }) {
  return (
    <Row
      title={NAMES[name]}
      detail={
        <>
          {detail ?? (state === 'NotConfigured' && UNCONFIGURED[name])}
          {sinceDate && (
            <>
              {' '}
              since <Moment at={sinceDate} />
            </>
          )}
        </>
      }
      state={state === 'Working' ? <Working /> : state === 'Failing' ? <Failing /> : <NotSetUp />}
    />
  )
}

function describeQueue({ due, lagSeconds }: NonNullable<State['jobs']>): string {
  if (due === 0) return 'Nothing waits.'
  return `${formatCount(due, 'task is', 'tasks are')} due, the oldest for ${formatAmount(lagSeconds)} s.`
}

const Working = () => (
  <StateMark tone="good" icon="done">
    Works
  </StateMark>
)
const Failing = () => (
  <StateMark tone="bad" icon="warning">
    Fails
  </StateMark>
)
const NotSetUp = () => (
  <StateMark tone="quiet" icon={ICONS.draft}>
    Not set up
  </StateMark>
)
