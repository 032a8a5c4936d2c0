import { LinkButton } from './link-button.tsx'
import { Page } from './page.tsx'

/** An address that leads nowhere, or not any more. */
export function NotFound({ what = 'page' }: { what?: string }) {
  return (
    <Page title={`There is no such ${what}`} lead="The address may be mistyped, or what it led to is gone.">
      <p>
        <LinkButton to="/console">Go to the overview</LinkButton>
      </p>
    </Page>
  )
}
