import { Button } from '../../ui/button.tsx'
import { nameOf } from '../format.ts'
import { ICONS } from '../icons.ts'
import { Card } from '../parts/card.tsx'
import { Facts } from '../parts/facts.tsx'
import { Page } from '../parts/page.tsx'
import { service } from '../service.ts'
import { useMe } from '../session.ts'
import { PasswordCard } from './password-card.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

/** Who one is here, and how one gets in. */
export function Account() {
  const me = useMe()
  return (
    <Page
      title="Your account"
      action={
        <Button icon={ICONS.leave} onPress={() => void signOutEverywhere()}>
          Sign out everywhere
        </Button>
      }
    >
      <div className="columns columns-even">
        <div className="stack">
          <Card title="You">
            <Facts
              facts={[
                ['Name', nameOf(me)],
                ['E-mail address', me.email],
                ['Organisation', me.organisation],
                ['Department', me.departmentName],
                ['Role', me.isAdministrator ? 'Administrator' : me.role],
              ]}
            />
          </Card>
          <PasswordCard />
        </div>
        <div className="stack">
          <SecondFactorCard />
          <SessionsCard />
        </div>
      </div>
    </Page>
  )
}

async function signOutEverywhere(): Promise<void> {
  await service.logOut({ everywhere: true }).catch(() => {})
  window.location.assign('/console')
}
