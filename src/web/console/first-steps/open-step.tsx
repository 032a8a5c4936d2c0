import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CommandLine, curl } from '../parts/command-line.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { OutsideLink } from '../parts/outside-link.tsx'
import type { ShownRequest } from '../requests/shown-request.ts'
import { service } from '../service.ts'
import { useAction } from '../use-action.ts'
import { useResource } from '../use-resource.ts'
import { useMe } from '../session.ts'

export type OpenStepProps = { request: ShownRequest; isSigned: boolean }

/** Where the invitation went, and the way to it. */
export function OpenStep({ request, isSigned }: OpenStepProps) {
  const [person] = request.signatories
  const path = `/signing/signaturerequest/${request.id}/signatory/${person?.id}/link`
  return (
    <>
      {isSigned ? <Notice kind="good">You have signed.</Notice> : <Invitation request={request} />}
      <CommandLine label="The link from a program" command={curl(path)} />
    </>
  )
}

function Invitation({ request }: { request: ShownRequest }) {
  const { isAdministrator } = useMe()
  const isInvited = request.signatories.some(({ state }) => state === 'Invited' || state === 'Viewed')
  const messages = useResource(`messages of ${request.id} ${isInvited}`, async () =>
    isAdministrator ? await service.listMessages({ signatureRequestId: request.id }) : null,
  )
  if (!isInvited) return <p aria-live="polite">The document is being prepared…</p>
  const isSent = messages.data?.items.some(({ state }) => state === 'sent') ?? !isAdministrator
  return isSent ? (
    <>
      <p>The invitation is in your inbox. Open its link, read, and sign; this page notices.</p>
      <DirectLink request={request} />
    </>
  ) : (
    <>
      <p>
        No mail server is set up yet, so the invitation lies in the outbox, where you find it under Messages. Its link
        leads to the page that every signatory sees.
      </p>
      <DirectLink request={request} />
    </>
  )
}

/** The personal link, asked for when it is wanted; it opens beside this page. */
function DirectLink({ request }: { request: ShownRequest }) {
  const [url, setUrl] = useState<string>()
  const { isBusy, error, run } = useAction()
  const signatoryId = request.signatories[0]?.id
  useEffect(() => setUrl(undefined), [request.id])
  const ask = () =>
    run(async () => {
      if (signatoryId !== undefined) setUrl((await service.getSignatoryLink({ id: request.id, signatoryId })).url)
    })
  if (url !== undefined)
    return (
      <div>
        <OutsideLink kind="primary" href={url}>
          Read and sign
        </OutsideLink>
      </div>
    )
  return (
    <div>
      <Button kind="primary" icon="link" isBusy={isBusy} onPress={() => void ask()}>
        Get my personal link
      </Button>
      {error && <ErrorNotice error={error} />}
    </div>
  )
}
