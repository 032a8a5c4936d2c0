import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { saveAnswer } from '../download.ts'
import { formatCount } from '../format.ts'
import { ICONS } from '../icons.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { LinkButton } from '../parts/link-button.tsx'
import { useToast } from '../parts/toasts.tsx'
import { service } from '../service.ts'
import { useAction } from '../use-action.ts'
import { CancelSheet } from './cancel-sheet.tsx'
import type { ShownRequest } from './shown-request.ts'

export type RequestActionsProps = { request: ShownRequest; onChange: () => Promise<void> }

const CANCELABLE = ['Draft', 'Open', 'Error']
const FINISHED = ['Closed', 'Archiving', 'Archived', 'ArchivingFailed']

/** What can be done now: one thing mostly, and the way out. */
export function RequestActions({ request, onChange }: RequestActionsProps) {
  const [isCanceling, setCanceling] = useState(false)
  const { id, status } = request
  const { isBusy, error, run } = useAction()
  const say = useToast()

  const act = (work: () => Promise<string>) =>
    void run(async () => {
      say(await work())
      await onChange()
    })
  const send = async () => {
    await service.openSignatureRequest({ id })
    return 'Sent for signature.'
  }
  const remind = async () => describeReminded((await service.remindSignatories({ id })).reminded.length)
  const retry = async () => {
    await service.retrySignatureRequest({ id })
    return 'It is being tried again.'
  }
  const fetchEvidence = async () => {
    const answer = await service.downloadEvidence({ id })
    await saveAnswer(answer, `evidence-${id}.zip`)
    return answer === undefined ? 'The evidence is not there yet.' : 'The evidence is downloaded.'
  }

  return (
    <>
      {CANCELABLE.includes(status) && (
        <Button kind="danger" onPress={() => setCanceling(true)}>
          Cancel the request
        </Button>
      )}
      {status === 'Draft' && (
        <LinkButton icon="pen" to={`/console/requests/${id}/change`}>
          Change the draft
        </LinkButton>
      )}
      {status === 'Draft' && (
        <Button kind="primary" icon={ICONS.requests} isBusy={isBusy} onPress={() => act(send)}>
          Send for signature
        </Button>
      )}
      {status === 'Open' && (
        <Button kind="primary" icon={ICONS.bell} isBusy={isBusy} onPress={() => act(remind)}>
          Remind
        </Button>
      )}
      {status === 'Error' && (
        <Button kind="primary" icon={ICONS.again} isBusy={isBusy} onPress={() => act(retry)}>
          Try again
        </Button>
      )}
      {FINISHED.includes(status) && (
        <Button kind="primary" icon="download" isBusy={isBusy} onPress={() => act(fetchEvidence)}>
          Download the evidence
        </Button>
      )}
      {error && <ErrorNotice error={error} />}
      {isCanceling && <CancelSheet request={request} onChange={onChange} onClose={() => setCanceling(false)} />}
    </>
  )
}

function describeReminded(amount: number): string {
  if (amount === 0) return 'Nobody was reminded: everybody has been within the last hour.'
  return `${formatCount(amount, 'person has', 'people have')} been reminded.`
}
