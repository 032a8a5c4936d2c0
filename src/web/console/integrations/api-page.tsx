import { ButtonLink } from '../../ui/button.tsx'
import { ICONS } from '../icons.ts'
import { Card } from '../parts/card.tsx'
import { CommandLine, contentOf, curl } from '../parts/command-line.tsx'
import { Page } from '../parts/page.tsx'
import { IntegrationTabs } from './integration-tabs.tsx'

const SEND = curl('/onestepsigning/signaturerequest', {
  body: {
    subject: 'A contract',
    status: 'Open',
    documents: [{ fileName: 'contract.pdf', contentBase64: contentOf('contract.pdf') }],
    signatories: [{ firstName: 'Aino', lastName: 'Virtanen', email: 'aino@example.com' }],
  },
})

/** The way to everything that programs can do here. */
export function ApiPage() {
  return (
    <Page
      title="Integrations"
      lead="Everything in this console is done through the same API that your programs use."
      action={
        <ButtonLink kind="primary" icon={ICONS.out} href="/docs">
          Open the API reference
        </ButtonLink>
      }
    >
      <IntegrationTabs current="/console/integrations/api" />
      <Card
        title="First steps"
        action={
          <ButtonLink icon="download" href="/openapi.json" fileName="countersign-openapi.json">
            OpenAPI document
          </ButtonLink>
        }
      >
        <p className="quiet">Put the value of a subscription key into $KEY, then these lines work as they stand.</p>
        <CommandLine label="Send a document for signature" command={SEND} />
        <CommandLine label="See what became of it" command={curl('/signing/signaturerequest?take=1')} />
        <CommandLine label="Follow everything that happens" command={curl('/event?pageSize=100')} />
      </Card>
    </Page>
  )
}
