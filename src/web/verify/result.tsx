import { Icon } from '../ui/icon.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { ChooseFile } from './choose-file.tsx'
import { UNREADABLE, VERDICTS } from './plain-words.ts'
import { ReportDetails } from './report-details.tsx'
import { SignatureCard } from './signature-card.tsx'
import type { Report, Signature } from './verify-api.ts'
import { useWords } from './words.ts'

export type ResultProps = { name: string; report: Report; onFile: (file: File) => void }

/** The verdict first, then what it rests on. */
export function Result({ name, report, onFile }: ResultProps) {
  const { say } = useWords()
  const { icon, tone, title, text } = VERDICTS[report.verdict]
  const { evidence, signatures, timestamps } = report
  return (
    <div className="column">
      <section className={`verdict verdict-${tone}`}>
        <span className={tone}>
          <Icon name={icon} />
        </span>
        <div>
          <PageTitle>{say(title)}</PageTitle>
          <p className="file-name">{name}</p>
          <p>{say(report.unreadable ? UNREADABLE[report.unreadable] : text)}</p>
          {evidence && <Sealed {...evidence} />}
        </div>
      </section>
      <Cards title={say('signatures', { count: signatures.length })} items={signatures} />
      <Timestamps title={say('timestamps', { count: timestamps.length })} items={timestamps} />
      <ReportDetails name={name} report={report} />
      <div className="actions">
        <ChooseFile kind="primary" onFile={onFile}>
          {say('chooseAnother')}
        </ChooseFile>
      </div>
      <p className="quiet small">{say('notStored')}</p>
    </div>
  )
}

function Sealed({ signatureRequestId: id, isSealedHere }: NonNullable<Report['evidence']>) {
  const { say } = useWords()
  return isSealedHere ? (
    <Notice kind="good">{say('sealedHere', { id })}</Notice>
  ) : (
    <Notice kind="bad">{say('notSealedHere', { id })}</Notice>
  )
}

/** Good ones are told in a line: people ask who signed, and only then how the time is known. */
function Timestamps({ title, items }: { title: string; items: readonly Signature[] }) {
  if (items.some(({ indication }) => indication !== 'TOTAL-PASSED')) return <Cards title={title} items={items} />
  if (items.length === 0) return null
  return (
    <details className="folded">
      <summary>{title}</summary>
      <div className="cards">
        {items.map((timestamp) => (
          <SignatureCard key={timestamp.fieldName} signature={timestamp} />
        ))}
      </div>
    </details>
  )
}

function Cards({ title, items }: { title: string; items: readonly Signature[] }) {
  if (items.length === 0) return null
  return (
    <section className="cards">
      <h2>{title}</h2>
      {items.map((signature) => (
        <SignatureCard key={`${signature.kind} ${signature.fieldName}`} signature={signature} />
      ))}
    </section>
  )
}
