import { Page } from '../parts/page.tsx'
import { useMe } from '../session.ts'

export function Overview() {
  const { organisation } = useMe()
  return (
    <Page title="Overview" lead={`What waits, what went wrong, and how the service of ${organisation} is.`}>
      <p />
    </Page>
  )
}
