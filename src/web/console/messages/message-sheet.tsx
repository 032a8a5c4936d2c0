import { useState } from 'react'
import type { Message, MessageSummary } from '#client'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { ICONS } from '../icons.ts'
import { Facts } from '../parts/facts.tsx'
import { FormSheet } from '../parts/form-sheet.tsx'
import { Secret } from '../parts/secret.tsx'
import { service } from '../service.ts'
import { CHANNELS, KINDS } from './message-words.ts'

export type MessageSheetProps = { message: MessageSummary; onClose: () => void }

/** A message of the outbox. Whoever reads it is put on record, so that is said first. */
export function MessageSheet({ message, onClose }: MessageSheetProps) {
  const [read, setRead] = useState<Message>()
  if (read !== undefined) return <Read message={read} onClose={onClose} />
  return (
    <FormSheet
      title={KINDS[message.kind]}
      action="Read it, and have that recorded"
      onClose={onClose}
      onSubmit={async () => setRead(await service.readMessage({ messageId: message.id }))}
    >
      <p>
        This is for <strong>{message.recipient}</strong>. With what it says, one can act as the recipient.
      </p>
      <Notice kind="warn">
        That you have read it is written into the activity
        {message.signatureRequestId !== null && ', and into the history and the evidence of its request'}.
      </Notice>
    </FormSheet>
  )
}

function Read({ message, onClose }: { message: Message; onClose: () => void }) {
  const { kind, channel, recipient, subject, text, url, code } = message
  return (
    <Sheet title={KINDS[kind]} closeLabel="Close" onClose={onClose}>
      <Facts
        facts={[
          ['To', recipient],
          ['By', CHANNELS[channel]],
          ['Subject', subject],
        ]}
      />
      {code !== null && <Secret label="Code" value={code} />}
      {url !== null && <Secret label="Link" value={url} />}
      <pre className="letter" tabIndex={0} aria-label="What it says">
        {text}
      </pre>
      {url !== null && (
        <div className="actions">
          <ButtonLink icon={ICONS.out} href={url}>
            Open the link
          </ButtonLink>
        </div>
      )}
    </Sheet>
  )
}
