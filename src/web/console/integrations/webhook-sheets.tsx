import { useState } from 'react'
import type { Subscription } from '#client'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { formatMoment } from '../format.ts'
import { Checkbox } from '../parts/checkbox.tsx'
import { ConfirmSheet } from '../parts/confirm-sheet.tsx'
import { FormSheet } from '../parts/form-sheet.tsx'
import { Input } from '../parts/input.tsx'
import { Secret } from '../parts/secret.tsx'
import { useToast } from '../parts/toasts.tsx'
import { navigate } from '../router.tsx'
import { service, type Answer } from '../service.ts'

type OfWebhook = { subscriptionId: string; onClose: () => void }

/** A new secret; for a day deliveries are signed with both. */
export function RotateSecret({ subscriptionId, onClose }: OfWebhook) {
  const [rotated, setRotated] = useState<Answer<'rotateSubscriptionSecret'>>()
  if (rotated === undefined) {
    return (
      <FormSheet
        title="Replace the secret?"
        action="Replace it"
        onClose={onClose}
        onSubmit={async () => setRotated(await service.rotateSubscriptionSecret({ subscriptionId }))}
      >
        <p>
          For a day deliveries are signed with the old secret and the new one, so that your program can change over.
        </p>
      </FormSheet>
    )
  }
  return (
    <Sheet title="The new secret" closeLabel="Close" onClose={onClose}>
      <Notice kind="warn">Copy it now: it is shown this once and never again.</Notice>
      <Secret label="Secret" value={rotated.secret} />
      <p className="quiet">The old one counts until {formatMoment(rotated.previousSecretUntil)}.</p>
      <div className="sheet-actions">
        <Button kind="primary" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    </Sheet>
  )
}

const HOUR_MS = 60 * 60 * 1000

/** What a date-time field of the browser holds for a moment, in the person's zone. */
function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Sends again what happened in a span of time. */
export function ReplaySheet({ subscriptionId, onClose, onDone }: OfWebhook & { onDone: () => Promise<void> }) {
  const say = useToast()
  const [from, setFrom] = useState(() => localTime(new Date(Date.now() - 24 * HOUR_MS)))
  const [to, setTo] = useState(() => localTime(new Date()))
  const [includeDelivered, setIncludeDelivered] = useState(false)
  return (
    <FormSheet
      title="Send a span of time again"
      action="Send it again"
      onClose={onClose}
      onSubmit={async () => {
        const span = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
        await service.replayDeliveries({ subscriptionId, ...span, includeDelivered })
        say('What happened in that time is being sent again.')
        onClose()
        await onDone()
      }}
    >
      <p>
        Whatever did not arrive is sent again, also what happened while the webhook was disabled. Each delivery keeps
        its id, so that your program knows what it has had already.
      </p>
      <div className="fields">
        <Input label="From" kind="datetime-local" value={from} onChange={setFrom} maxLength={30} isRequired />
        <Input label="To" kind="datetime-local" value={to} onChange={setTo} maxLength={30} isRequired />
      </div>
      <Checkbox isOn={includeDelivered} onChange={setIncludeDelivered}>
        Also what arrived already
      </Checkbox>
    </FormSheet>
  )
}

/** The end of a webhook. */
export function DeleteWebhook({ webhook, onClose }: { webhook: Subscription; onClose: () => void }) {
  const say = useToast()
  const { host } = new URL(webhook.uri)
  return (
    <ConfirmSheet
      title="Delete this webhook?"
      action="Delete it"
      name={host}
      onClose={onClose}
      onConfirm={async () => {
        await service.deleteSubscription({ subscriptionId: webhook.id })
        say(`Nothing is sent to ${host} any more.`)
        navigate('/console/integrations/webhooks')
      }}
    >
      <p>
        Nothing is sent to {webhook.uri} any more, its secret is gone, and what waits is not delivered. This can’t be
        undone; to stop for a while, pause it instead.
      </p>
    </ConfirmSheet>
  )
}
