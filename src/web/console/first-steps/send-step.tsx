import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { saveAs } from '../download.ts'
import { ICONS } from '../icons.ts'
import { CommandLine, contentOf, curl } from '../parts/command-line.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import type { ShownRequest } from '../requests/shown-request.ts'
import { service } from '../service.ts'
import { useMe, type Me } from '../session.ts'
import { useAction } from '../use-action.ts'
import { makeSampleDocument } from './sample-document.ts'

const FILE_NAME = 'agreement.pdf'

export type SendStepProps = { sent: ShownRequest | undefined; onSent: (id: string) => void }

/** A page that we make, sent to whoever is signed in. */
export function SendStep({ sent, onSent }: SendStepProps) {
  const me = useMe()
  const { isBusy, error, run } = useAction()
  const send = () =>
    run(async () => {
      const contentBase64 = toBase64(makeSampleDocument())
      const documents = [{ title: 'Agreement', fileName: FILE_NAME, contentBase64 }]
      onSent((await service.createSignatureRequest({ ...describeRequest(me), documents })).id)
    })
  const example = { ...describeRequest(me), documents: [{ fileName: FILE_NAME, contentBase64: contentOf(FILE_NAME) }] }
  return (
    <>
      {sent === undefined ? (
        <>
          <p>
            We make a small PDF for you and ask you to sign it, at {me.email}. Nobody else is told, and you can cancel
            it at any time.
          </p>
          <div>
            <Button kind="primary" icon={ICONS.requests} isBusy={isBusy} onPress={() => void send()}>
              Send it to me
            </Button>
          </div>
        </>
      ) : (
        <Notice kind="good">“{sent.subject}” is on its way to you.</Notice>
      )}
      {error && <ErrorNotice error={error} />}
      <p className="quiet small">
        For the terminal, put your subscription key into KEY and{' '}
        <button type="button" className="text-button" onClick={saveSample}>
          download {FILE_NAME}
        </button>{' '}
        first.
      </p>
      <CommandLine
        label="The same from a program"
        command={curl('/onestepsigning/signaturerequest', { body: example })}
      />
    </>
  )
}

/** The same document that the button sends. */
function saveSample(): void {
  saveAs(new Blob([makeSampleDocument()], { type: 'application/pdf' }), FILE_NAME)
}

function describeRequest({ firstName, lastName, email }: Me) {
  return {
    subject: 'Agreement to try this out',
    status: 'Open' as const,
    signingAuthenticationStrength: 'None',
    signatories: [{ firstName: firstName ?? 'First', lastName: lastName ?? 'Signatory', ...(email && { email }) }],
  }
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
