import { useState } from 'react'
import { LANGUAGE_NAMES, type Language } from '#i18n/languages.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../parts/card.tsx'
import { Checkbox } from '../parts/checkbox.tsx'
import { CommandLine, curl } from '../parts/command-line.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Facts } from '../parts/facts.tsx'
import { Input } from '../parts/input.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useToast } from '../parts/toasts.tsx'
import { formatCount } from '../format.ts'
import { Link } from '../router.tsx'
import { service, type Answer } from '../service.ts'
import { useAction } from '../use-action.ts'
import { useResource } from '../use-resource.ts'
import { PeopleTabs } from './people-tabs.tsx'

type Tenant = Answer<'readTenant'>

const NAME_LENGTH = 255
const ORIGINS_LENGTH = 14_000

/** What holds for the whole organisation. */
export function Organisation() {
  const tenant = useResource('tenant', () => service.readTenant())
  return (
    <Page title="People" lead="What holds for the whole organisation, whatever the department.">
      <PeopleTabs current="/console/people/organisation" />
      <Loaded resource={tenant}>
        {(data) => (
          <>
            <div className="columns columns-even">
              <Settings tenant={data} onDone={tenant.reload} />
              <Elsewhere tenant={data} />
            </div>
            <CommandLine label="The same from a program" command={curl('/onboarding/tenant', {})} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Settings({ tenant, onDone }: { tenant: Tenant; onDone: () => Promise<void> }) {
  const [name, setName] = useState(tenant.name)
  const [origins, setOrigins] = useState(tenant.returnOrigins.join('\n'))
  const [isNamed, setNamed] = useState(tenant.personalIdentifierInCertificates)
  const { isBusy, error, run } = useAction()
  const say = useToast()
  const save = async () => {
    const isGood = await run(async () => {
      const returnOrigins = origins.split(/\s+/).filter(Boolean)
      await service.changeTenant({ name: name.trim(), returnOrigins, personalIdentifierInCertificates: isNamed })
      await onDone()
    })
    if (isGood) say('The changes are saved.')
  }
  return (
    <Card title="Settings">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Input
          label="Name of the organisation"
          value={name}
          onChange={setName}
          maxLength={NAME_LENGTH}
          hint="Signatories read it first, in messages and above the documents."
          isRequired
        />
        <Input
          label="Where signatories may return to"
          kind="lines"
          value={origins}
          onChange={setOrigins}
          maxLength={ORIGINS_LENGTH}
          hint="One https origin a line, such as https://app.example.com. The same pages may show the signing page in a frame."
        />
        <Checkbox isOn={isNamed} onChange={setNamed}>
          Certificates of signatories name their personal identifier
        </Checkbox>
        {error && <ErrorNotice error={error} />}
        <div className="form-actions">
          <Button kind="primary" isBusy={isBusy}>
            Save the changes
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** What has a page of its own. */
function Elsewhere({ tenant: { id, rootDepartmentId, retentionDays, languages } }: { tenant: Tenant }) {
  const kept = retentionDays === null ? 'For ever' : `For ${formatCount(retentionDays, 'day', 'days')}`
  return (
    <Card title="Also for everybody">
      <Facts
        facts={[
          [
            'Finished requests are kept',
            <>
              {kept}, unless a department says otherwise.{' '}
              <Link to={`/console/people/departments/${rootDepartmentId}`}>Change it there</Link>
            </>,
          ],
          ['Seal and certificates', <Link to="/console/certificates">Certificates</Link>],
          ['Programs', <Link to="/console/integrations">Keys and webhooks</Link>],
          ['Who changed what', <Link to="/console/activity">Activity</Link>],
          ['Languages', languages.map((code) => LANGUAGE_NAMES[code as Language] ?? code).join(', ')],
          ['Id', <code>{id}</code>],
        ]}
      />
    </Card>
  )
}
