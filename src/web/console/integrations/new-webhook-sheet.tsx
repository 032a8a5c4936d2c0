import { useState } from 'react'
import type { CreateSubscriptionBody } from '#client'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { DepartmentChoice } from '../departments/department-choice.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { Checkbox } from '../parts/checkbox.tsx'
import { Choice } from '../parts/choice.tsx'
import { FormSheet } from '../parts/form-sheet.tsx'
import { Input } from '../parts/input.tsx'
import { Secret } from '../parts/secret.tsx'
import { navigate } from '../router.tsx'
import { service } from '../service.ts'
import { useResource } from '../use-resource.ts'
import { HeadersField, toMap, type Header } from './headers-field.tsx'

type EventType = CreateSubscriptionBody['eventType']

export type NewWebhookSheetProps = { onClose: () => void; onDone: () => Promise<void> }

/** Subscribes an address to a kind of event, and then shows the secret that proves where deliveries come from. */
export function NewWebhookSheet({ onClose, onDone }: NewWebhookSheetProps) {
  const { placed } = useDepartments()
  const hooks = useResource('supported hooks', () => service.listSupportedHooks())
  const [eventType, setEventType] = useState<EventType>('signaturerequestcompleted')
  const [uri, setUri] = useState('')
  const [description, setDescription] = useState('')
  const [departmentId, setDepartmentId] = useState('')
  const [subdepartments, setSubdepartments] = useState(true)
  const [headers, setHeaders] = useState<Header[]>([])
  const [created, setCreated] = useState<{ id: string; secret: string }>()
  if (created !== undefined) return <WebhookSecret {...created} onClose={onClose} />
  const kinds = (hooks.data ?? []).map((hook) => [hook.eventType as EventType, hook.eventType] as const)
  const chosen = hooks.data?.find((hook) => hook.eventType === eventType)
  return (
    <FormSheet
      title="Add a webhook"
      action="Add the webhook"
      onClose={onClose}
      onSubmit={async () => {
        const scope = departmentId === '' ? {} : { departmentId, subdepartments }
        const words = description.trim()
        setCreated(
          await service.createSubscription({
            eventType,
            uri: uri.trim(),
            ...(words && { description: words }),
            ...(headers.length > 0 && { headers: toMap(headers) }),
            ...scope,
          }),
        )
        await onDone()
      }}
    >
      <Choice
        label="When"
        value={eventType}
        options={kinds.length > 0 ? kinds : [[eventType, eventType]]}
        onChange={setEventType}
        hint={chosen?.description}
      />
      <Input
        label="Send to"
        kind="url"
        value={uri}
        onChange={setUri}
        maxLength={2048}
        hint="An https address that answers with 2xx within 15 seconds."
        isRequired
      />
      <Input
        label="What it is for"
        value={description}
        onChange={setDescription}
        maxLength={1000}
        hint="For people who find it here later."
      />
      <DepartmentChoice
        label="Events of"
        anyLabel="Everything that you reach"
        departments={placed}
        value={departmentId}
        onChange={setDepartmentId}
      />
      {departmentId !== '' && (
        <Checkbox isOn={subdepartments} onChange={setSubdepartments}>
          Also of the departments below it
        </Checkbox>
      )}
      <HeadersField headers={headers} onChange={setHeaders} />
    </FormSheet>
  )
}

export type WebhookSecretProps = { id: string; secret: string; onClose: () => void }

function WebhookSecret({ id, secret, onClose }: WebhookSecretProps) {
  return (
    <Sheet title="The webhook is there" closeLabel="Close" onClose={onClose}>
      <Notice kind="warn">Copy the secret now: it is shown this once and never again.</Notice>
      <Secret label="Secret" value={secret} />
      <p className="quiet">
        Your program checks with it that a delivery really comes from here. Any library for Standard Webhooks does that.
      </p>
      <div className="sheet-actions">
        <Button kind="primary" onPress={() => navigate(`/console/integrations/webhooks/${id}`)}>
          Go on and send a test
        </Button>
      </div>
    </Sheet>
  )
}
