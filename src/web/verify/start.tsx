import { Notice } from '../ui/notice.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { ChooseFile } from './choose-file.tsx'
import type { EvidenceLink } from './evidence-link.ts'
import { useWords } from './words.ts'

export type StartProps = { link: EvidenceLink | 'wrong' | undefined; onFile: (file: File) => void }

/** What this page does, and the one thing to do. */
export function Start({ link, onFile }: StartProps) {
  const { say } = useWords()
  return (
    <div className="column">
      <PageTitle>{say('title')}</PageTitle>
      <p>{say('intro')}</p>
      {link === 'wrong' && <Notice kind="warn">{say('badLink')}</Notice>}
      {typeof link === 'object' && <p className="evidence-note">{say('evidenceText', { id: link.requestId })}</p>}
      <div className="drop-zone">
        <ChooseFile kind="primary" onFile={onFile}>
          {say('choose')}
        </ChooseFile>
        <p className="quiet drop-hint">{say('dropHere')}</p>
      </div>
      <p className="quiet small">{say('notStored')}</p>
    </div>
  )
}
