import { useState } from 'react'
import { Button, ButtonLink } from '../ui/button.tsx'
import { StatePage } from '../ui/state-page.tsx'
import { titleOf } from './document-view.tsx'
import { People } from './people.tsx'
import { Proof } from './proof.tsx'
import { Return } from './return.tsx'
import { downloadAddress, type SigningRequest } from './signer-api.ts'
import { useWords } from './words.ts'

const WHAT_NEXT = { signing: 'doneOthers', sealing: 'doneLast', sealed: 'doneSealed' } as const

export type DoneProps = {
  request: SigningRequest
  /** The person has signed just now, on this page. */
  isFresh: boolean
  onMet: () => Promise<void>
}

/** Signed: the time, what happens next, and a copy to keep. */
export function Done({ request, isFresh, onMet }: DoneProps) {
  const { say, moment } = useWords()
  const { signedAt, others, progress, documents, subject, returnUrl } = request
  return (
    <StatePage icon="done" tone="good" title={say('doneTitle')}>
      {subject && <p className="done-subject">{subject}</p>}
      {signedAt && <p>{say('doneAt', { time: moment(signedAt) })}</p>}
      {progress && <p>{say(WHAT_NEXT[progress])}</p>}
      {returnUrl && <Return url={returnUrl} isFresh={isFresh} />}
      {documents && <Copies documents={documents} />}
      {!request.reading.isMet && <Known request={request} onMet={onMet} />}
      <People people={others} />
    </StatePage>
  )
}

function Copies({ documents }: { documents: NonNullable<SigningRequest['documents']> }) {
  const { say } = useWords()
  return (
    <section className="copies">
      <p>{say('doneKeep')}</p>
      <ul>
        {documents.map((document) => (
          <li key={document.id}>
            <ButtonLink icon="download" href={downloadAddress(document)} isDownload>
              {say('downloadDocument', { title: titleOf(document) })}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Whoever comes back later has to prove again who they are before they see the documents. */
function Known({ request, onMet }: { request: SigningRequest; onMet: () => Promise<void> }) {
  const { say } = useWords()
  const [isWanted, setWanted] = useState(false)
  if (isWanted) return <Proof purpose="reading" strength={request.reading.strength} onMet={onMet} />
  return (
    <>
      <p>{say('doneAuthenticate')}</p>
      <div className="state-page-actions">
        <Button icon="key" onPress={() => setWanted(true)}>
          {say('codeTitle')}
        </Button>
      </div>
    </>
  )
}
