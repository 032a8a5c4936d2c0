import { useState } from 'react'
import type { SealCertificate } from '#client'
import { Button } from '../../ui/button.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { formatDay } from '../format.ts'
import { ICONS } from '../icons.ts'
import { curl } from '../parts/command-line.tsx'
import { ConfirmSheet } from '../parts/confirm-sheet.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { useToast } from '../parts/toasts.tsx'
import { service } from '../service.ts'
import { useResource } from '../use-resource.ts'
import { AddCertificateSheet } from './add-certificate-sheet.tsx'
import { Authorities } from './authorities.tsx'
import { commonName, markOfSeal } from './certificate-words.ts'

const LOOK_AGAIN_MS = 1_500

type Shown = { kind: 'add' } | { kind: 'revoke'; seal: SealCertificate }

/** Whose seals there are, what they are issued under, who stamps the times, and when each ends. */
export function Certificates() {
  const departments = useDepartments()
  const [isWaiting, setWaiting] = useState(false)
  const seals = useResource(
    'seals',
    async () => {
      const found = await service.listSealCertificates()
      setWaiting(found.items.some(({ state }) => state === 'Pending'))
      return found
    },
    { everyMs: isWaiting ? LOOK_AGAIN_MS : undefined },
  )
  const [shown, setShown] = useState<Shown>()
  const close = () => setShown(undefined)
  const add = (
    <Button kind="primary" icon={ICONS.plus} onPress={() => setShown({ kind: 'add' })}>
      Add a seal certificate
    </Button>
  )
  return (
    <Page
      title="Certificates"
      lead="Every finished document carries a seal. It is the department’s own, or else that of the nearest department above it."
      action={add}
    >
      <Loaded resource={seals}>
        {({ items }) =>
          items.length === 0 ? (
            <NoSeals />
          ) : (
            <Rows label="Seal certificates">
              {items.map((seal) => (
                <SealRow
                  key={seal.id}
                  seal={seal}
                  department={departments.nameOf(seal.departmentId)}
                  onRevoke={() => setShown({ kind: 'revoke', seal })}
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
      {/* Below a list that has its length: nothing moves when it comes. */}
      {!seals.isLoading && <Authorities />}
      {shown?.kind === 'add' && <AddCertificateSheet onClose={close} onDone={seals.reload} />}
      {shown?.kind === 'revoke' && <RevokeSeal seal={shown.seal} onClose={close} onDone={seals.reload} />}
    </Page>
  )
}

type SealRowProps = { seal: SealCertificate; department: string | undefined; onRevoke: () => void }

const ORIGINS = { issued: 'Made here', pkcs12: 'Imported', pem: 'Imported', remote: 'With a remote signer' } as const

function SealRow({ seal, department, onRevoke }: SealRowProps) {
  const { subject, issuer, state, stateReason, notAfter, origin } = seal
  const mark = markOfSeal(seal)
  const name = subject === null ? 'A new seal certificate' : commonName(subject)
  return (
    <Row
      title={name}
      detail={
        <>
          {ORIGINS[origin]}
          {issuer !== null && ` · issued by ${commonName(issuer)}`}
          {stateReason !== null && ` · ${stateReason}`}
        </>
      }
      state={
        <StateMark tone={mark.tone} icon={mark.icon}>
          {mark.words}
        </StateMark>
      }
      who={department === undefined ? 'Another department' : `Seal of ${department}`}
      when={notAfter === null ? null : `until ${formatDay(notAfter)}`}
      actions={
        (state === 'Active' || state === 'Pending') && (
          <Button icon={ICONS.remove} onPress={onRevoke}>
            Revoke<span className="for-screen-readers"> {name}</span>
          </Button>
        )
      }
    />
  )
}

type RevokeSealProps = { seal: SealCertificate; onClose: () => void; onDone: () => Promise<void> }

function RevokeSeal({ seal, onClose, onDone }: RevokeSealProps) {
  const say = useToast()
  const name = seal.subject === null ? 'new certificate' : commonName(seal.subject)
  return (
    <ConfirmSheet
      title="Revoke this seal certificate?"
      action="Revoke it"
      name={name}
      onClose={onClose}
      onConfirm={async () => {
        await service.revokeSealCertificate({ id: seal.id })
        say(`The certificate ${name} is revoked.`)
        await onDone()
      }}
    >
      <p>
        From now on nothing is sealed with {name}, its key is destroyed, and whoever asks hears that it is revoked. The
        department uses the seal of the nearest department above it. This can’t be undone.
      </p>
      <p className="quiet">What has been sealed stays valid: its timestamps show that it is older.</p>
    </ConfirmSheet>
  )
}

function NoSeals() {
  return (
    <EmptyState
      icon={ICONS.certificates}
      title="No seal certificate yet"
      command={curl('/sealing/certificate', { method: 'POST', body: { generate: true } })}
    >
      The worker makes the first one by itself, moments after the service has started. A department can have its own:
      let the service make it, or import one that a trust service has sold you.
    </EmptyState>
  )
}
