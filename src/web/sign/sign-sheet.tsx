import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { titleOf } from './document-view.tsx'
import { MarkChoice } from './mark-choice.tsx'
import { Proof } from './proof.tsx'
import { Refusal, REFUSALS, sign, type Mark, type ShownDocument, type SigningRequest } from './signer-api.ts'
import { useAction } from './use-action.ts'
import { useWords } from './words.ts'

export type SignSheetProps = {
  request: SigningRequest
  documents: ShownDocument[]
  /** How many pages each document has, by its id, as far as it is known. */
  pages: Readonly<Record<string, number>>
  /** How many documents have not been read to their end. */
  unread: number
  onClose: () => void
  onChange: () => Promise<void>
  /** What was confirmed is not what there is any more. */
  onShownAgain: () => Promise<void>
}

/** What is about to be signed, as whom, what it means, the proof that is asked for, then one button. */
export function SignSheet({ request, documents, pages, unread, onClose, onChange, onShownAgain }: SignSheetProps) {
  const { say } = useWords()
  const [mark, setMark] = useState<Mark>()
  const { isBusy, fault, run } = useAction()
  const { strength, isMet } = request.signing
  const name = nameOf(request)
  const count = documents.length

  const confirm = () =>
    run(async () => {
      try {
        await sign(request, documents, mark)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if (error.code === REFUSALS.shownAgain) return onShownAgain()
        if (!isOutdated(error)) throw error
      }
      return onChange()
    })

  return (
    <Sheet title={say('signTitle')} closeLabel={say('backToDocuments')} isBusy={isBusy} onClose={onClose}>
      <p>{say('signList', { count })}</p>
      <ul className="sign-list">
        {documents.map((document) => (
          <li key={document.id}>
            <span>{titleOf(document)}</span>
            {pages[document.id] && <span className="quiet small">{say('pages', { count: pages[document.id]! })}</span>}
          </li>
        ))}
      </ul>
      {unread > 0 && <Notice kind="warn">{say('signUnread', { count: unread })}</Notice>}
      {name && <p>{say('signAs', { name })}</p>}
      <p>{say('signIntent')}</p>
      {isMet ? (
        <>
          {strength !== 'None' && (
            <Notice kind="good">{say(strength === 'Strong' ? 'strongConfirmed' : 'codeConfirmed')}</Notice>
          )}
          <MarkChoice name={name} onChange={setMark} />
          {fault && <Notice kind="bad">{fault}</Notice>}
          <div className="sheet-actions">
            <Button kind="primary" icon="pen" isBusy={isBusy} onPress={() => void confirm()}>
              {isBusy ? say('signing') : say('signButton', { count })}
            </Button>
          </div>
        </>
      ) : (
        <Proof purpose="signing" strength={strength} onMet={onChange} />
      )}
    </Sheet>
  )
}

function nameOf({ signatory }: SigningRequest): string {
  return [signatory?.firstName, signatory?.lastName].filter(Boolean).join(' ')
}

/** What the sheet shows is no longer so: signed or canceled elsewhere, or another tab has opened another session. */
function isOutdated({ code, classification }: Refusal): boolean {
  return classification === 'InvalidOperation' || code === REFUSALS.notAuthenticated || code === REFUSALS.sessionNeeded
}
