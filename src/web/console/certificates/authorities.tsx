import type { Authority } from '#client'
import { ButtonLink } from '../../ui/button.tsx'
import { formatDay } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { RowsSkeleton } from '../parts/skeleton.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { service, type Answer } from '../service.ts'
import { useResource } from '../use-resource.ts'
import { commonName, markOfEnd } from './certificate-words.ts'

/** The chain above the seals, and who stamps the times. */
export function Authorities() {
  const authorities = useResource('authorities', () => service.readAuthorities())
  return (
    <Loaded resource={authorities} outline={<RowsSkeleton rows={3} />}>
      {({ issuing, root, timestamp }) => (
        <div className="columns columns-even">
          <Card title="Issued under">
            <p className="quiet">
              Your organisation’s authority issues the seals and a certificate for each person who signs. Whoever is to
              trust them trusts the root.
            </p>
            {issuing.length + root.length === 0 ? (
              <p>The worker has not made them yet. It does so when it starts.</p>
            ) : (
              <Rows label="Issued under">
                {issuing.map((authority) => (
                  <AuthorityRow key={authority.keyId} authority={authority} what="Authority of your organisation" />
                ))}
                {root.map((authority) => (
                  <AuthorityRow key={authority.keyId} authority={authority} what="Root of this installation" />
                ))}
              </Rows>
            )}
          </Card>
          <Timestamps timestamp={timestamp} />
        </div>
      )}
    </Loaded>
  )
}

function Timestamps({ timestamp }: { timestamp: Answer<'readAuthorities'>['timestamp'] }) {
  const { origin, host, certificates } = timestamp
  return (
    <Card title="Timestamps">
      {origin === 'outside' ? (
        <p>
          Times are stamped by <strong>{host}</strong>, an authority outside of this installation.
        </p>
      ) : (
        <p className="quiet">
          Times are stamped by this installation itself. Evidence and verification say so. For an authority that others
          already trust, the operator sets COUNTERSIGN_TSA_URL.
        </p>
      )}
      {certificates.length > 0 && (
        <Rows label="Timestamps">
          {certificates.map((authority) => (
            <AuthorityRow key={authority.sha256} authority={authority} what="Stamps times" isDownload={false} />
          ))}
        </Rows>
      )}
    </Card>
  )
}

type AuthorityRowProps = { authority: Authority; what: string; isDownload?: boolean }

function AuthorityRow({ authority, what, isDownload = true }: AuthorityRowProps) {
  const { subject, notAfter, keyId } = authority
  const name = commonName(subject)
  const mark = markOfEnd(notAfter)
  return (
    <Row
      title={name}
      detail={what}
      state={
        <StateMark tone={mark.tone} icon={mark.icon}>
          {mark.words}
        </StateMark>
      }
      when={`until ${formatDay(notAfter)}`}
      actions={
        isDownload && (
          <ButtonLink icon="download" href={`/pki/${keyId}/authority.cer`} fileName={`${name}.cer`}>
            Download<span className="for-screen-readers"> {name}</span>
          </ButtonLink>
        )
      }
    />
  )
}
