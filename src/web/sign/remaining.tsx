import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { titleOf } from './document-view.tsx'
import type { ShownDocument, SigningRequest } from './signer-api.ts'
import { useWords } from './words.ts'

export type RemainingProps = {
  request: SigningRequest
  documents: ShownDocument[]
  isRead: (document: ShownDocument) => boolean
  onSign: () => void
  onDecline: () => void
}

/** What remains to be done, and the one thing to do next. At the bottom of a phone, at the right of a desk. */
export function Remaining({ request, documents, isRead, onSign, onDecline }: RemainingProps) {
  const { say, moment } = useWords()
  const count = documents.filter((document) => !isRead(document)).length
  return (
    <aside className="remaining" aria-label={say('whatRemains')}>
      <h2>{say('whatRemains')}</h2>
      <ul className="remaining-list">
        {documents.map((document) => (
          <li key={document.id}>
            <a href={`#${document.id}`}>{titleOf(document)}</a>
            <ReadState isRead={isRead(document)} />
          </li>
        ))}
      </ul>
      <p className="remaining-count" role="status">
        {count > 0 ? say('toRead', { count }) : say('allRead')}
      </p>
      <div className="remaining-actions">
        <Button kind="primary" icon="pen" onPress={onSign}>
          {say('goToSigning')}
        </Button>
        <Button kind="quiet" onPress={onDecline}>
          {say('decline')}
        </Button>
      </div>
      {request.expirationDate && (
        <p className="remaining-deadline quiet small">
          {say('signUntil', { deadline: moment(request.expirationDate) })}
        </p>
      )}
    </aside>
  )
}

function ReadState({ isRead }: { isRead: boolean }) {
  const { say } = useWords()
  return (
    <span className={`with-icon small ${isRead ? 'good' : 'quiet'}`}>
      <Icon name={isRead ? 'done' : 'page'} />
      <span>{say(isRead ? 'isRead' : 'isUnread')}</span>
    </span>
  )
}
