import { ICONS } from '../icons.ts'
import { Card } from '../parts/card.tsx'
import { LinkButton } from '../parts/link-button.tsx'

/** For whoever has nothing waiting: most often, somebody who is new here. */
export function WelcomeCard() {
  return (
    <Card title="New here?">
      <p>In five minutes you have sent, signed and sealed a first document, and seen the same from a program.</p>
      <div>
        <LinkButton icon={ICONS.forward} to="/console/first-steps">
          Take the first steps
        </LinkButton>
      </div>
    </Card>
  )
}
