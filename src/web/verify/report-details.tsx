import { useEffect, useState } from 'react'
import { ButtonLink } from '../ui/button.tsx'
import type { Report } from './verify-api.ts'
import { useWords } from './words.ts'

/** The whole report, for those who want it. */
export function ReportDetails({ name, report }: { name: string; report: Report }) {
  const { say, moment } = useWords()
  const text = JSON.stringify(report, null, 2)
  const address = useFileAddress(text)
  return (
    <details className="card">
      <summary>{say('report')}</summary>
      <dl className="pairs">
        <dt>{say('fileName')}</dt>
        <dd>{name}</dd>
        <dt>{say('fingerprint')}</dt>
        <dd className="fingerprint">{report.sha256}</dd>
        <dt>{say('checkedAt')}</dt>
        <dd>{moment(report.validatedAt)}</dd>
      </dl>
      <pre className="report" tabIndex={0} role="region" aria-label={say('report')} lang="en">
        {text}
      </pre>
      {address && (
        <ButtonLink icon="download" href={address} fileName={`${name}.validation.json`}>
          {say('downloadReport')}
        </ButtonLink>
      )}
    </details>
  )
}

/** An address for text that is on this page alone; it is given back when the page goes on. */
function useFileAddress(text: string): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [text])
  return address
}
