import { Tabs } from '../parts/tabs.tsx'

const TABS = [
  ['/console/integrations', 'Keys'],
  ['/console/integrations/webhooks', 'Webhooks'],
  ['/console/integrations/api', 'API reference'],
] as const

export type IntegrationPage = (typeof TABS)[number][0]

/** What connects other programs with the service. */
export function IntegrationTabs({ current }: { current: IntegrationPage }) {
  return <Tabs label="Integrations" current={current} tabs={TABS} />
}
