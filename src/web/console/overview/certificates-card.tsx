import { Card } from '../parts/card.tsx'
import { Moment } from '../parts/moment.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { Link } from '../router.tsx'
import type { Answer } from '../service.ts'

type Certificate = NonNullable<Answer<'readOverview'>['certificates']>[number]

const DAY_MS = 24 * 3600 * 1000
const SOON_DAYS = 30
const MOST_SHOWN = 8

const KINDS: Record<Certificate['kind'], string> = {
  seal: 'Seal',
  issuing: 'Issuing authority',
  timestamp: 'Timestamp authority',
  root: 'Root',
  responder: 'Responder',
  signatory: 'Signatory',
}

/** When the certificates end, the next one first. */
export function CertificatesCard({ certificates }: { certificates: Certificate[] | null }) {
  if (certificates === null || certificates.length === 0) return null
  const sorted = [...certificates].sort((a, b) => a.expirationDate.localeCompare(b.expirationDate))
  return (
    <Card title="Certificates" action={<Link to="/console/certificates">All certificates</Link>}>
      <Rows label="Certificates">
        {sorted.slice(0, MOST_SHOWN).map((certificate) => (
          <Row
            key={certificate.kind + certificate.subject + certificate.expirationDate}
            title={KINDS[certificate.kind]}
            detail={
              <>
                {certificate.subject}
                <br />
                {certificate.renewsItself ? 'Renews itself' : 'Somebody has to bring the next one'}, ends{' '}
                <Moment at={certificate.expirationDate} />
              </>
            }
            state={<Ending certificate={certificate} />}
          />
        ))}
      </Rows>
    </Card>
  )
}

function Ending({ certificate: { expirationDate, renewsItself } }: { certificate: Certificate }) {
  const days = (new Date(expirationDate).getTime() - Date.now()) / DAY_MS
  if (days < 0)
    return (
      <StateMark tone="bad" icon="warning">
        Has ended
      </StateMark>
    )
  if (days < SOON_DAYS && !renewsItself)
    return (
      <StateMark tone="warn" icon="warning">
        Ends soon
      </StateMark>
    )
  return (
    <StateMark tone="good" icon="done">
      Valid
    </StateMark>
  )
}
