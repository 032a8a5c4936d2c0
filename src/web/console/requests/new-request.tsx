import { useEffect, useRef, useState } from 'react'
import type { RequestTemplate } from '#client'
import { nearestLanguage } from '#i18n/languages.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ICONS } from '../icons.ts'
import { BackLink } from '../parts/back-link.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Page } from '../parts/page.tsx'
import { Progress } from '../parts/progress.tsx'
import { useToast } from '../parts/toasts.tsx'
import { PageSkeleton } from '../parts/skeleton.tsx'
import type { PageProps } from '../page-props.ts'
import { NotFound } from '../parts/not-found.tsx'
import { navigate } from '../router.tsx'
import { useMe } from '../session.ts'
import { useAction } from '../use-action.ts'
import { isMissing, useResource } from '../use-resource.ts'
import { BeginField, useTemplates } from './begin-field.tsx'
import { DocumentsField } from './documents-field.tsx'
import { listMissing, newDraft, type Draft } from './draft.ts'
import { PeopleField } from './people-field.tsx'
import { PreviewCard } from './preview-card.tsx'
import { readDraft } from './read-draft.ts'
import { sendRequest } from './send-request.ts'
import { TermsField } from './terms-field.tsx'

/** From dropped PDFs to a request on its way. */
export function NewRequest() {
  const { departmentId } = useMe()
  const [first] = useState(() => newDraft({ language: nearestLanguage(navigator.language), departmentId }))
  return <Editor title="New signature request" first={first} id={undefined} />
}

/** A draft that is there, to be changed before it is sent. */
export function ChangeDraft({ params }: PageProps) {
  const id = params.id!
  const draft = useResource(`draft ${id}`, () => readDraft(id))
  if (isMissing(draft.error)) return <NotFound what="signature request" />
  if (draft.data === undefined)
    return draft.error ? <ErrorNotice error={draft.error} onRetry={draft.reload} /> : <PageSkeleton />
  return <Editor key={id} title="Change the draft" first={draft.data} id={id} />
}

type EditorProps = {
  title: string
  first: Draft
  /** The draft that is changed; none while a new request is written. */
  id: string | undefined
}

/** It stands there once it is whole, so that nothing moves below somebody's fingers. */
function Editor(props: EditorProps) {
  const templates = useTemplates()
  return templates === undefined ? <PageSkeleton /> : <EditorForm {...props} templates={templates} />
}

function EditorForm({ title, first, id, templates }: EditorProps & { templates: readonly RequestTemplate[] }) {
  const [draft, setDraft] = useState(first)
  const [missing, setMissing] = useState<string[]>([])
  const { share, isSending, error, send } = useSending(id)
  useWarning(draft.documents.length > 0 && !isSending)

  const change = (changes: Partial<Draft>) => setDraft((before) => suggestSubject({ ...before, ...changes }))
  const submit = async (status: 'Draft' | 'Open') => {
    const found = status === 'Open' ? listMissing(draft) : listMissing(draft).filter((words) => words.startsWith('Say'))
    setMissing(found)
    if (found.length === 0) await send(draft, status)
  }

  return (
    <Page above={<BackLink to="/console/requests">Signature requests</BackLink>} title={title}>
      <form
        className="columns columns-beside"
        onSubmit={(event) => {
          event.preventDefault()
          void submit('Open')
        }}
      >
        <div className="stack">
          <BeginField draft={draft} templates={templates} onChange={change} />
          <DocumentsField documents={draft.documents} onChange={(documents) => change({ documents })} />
          <PeopleField people={draft.people} manner={draft} onChange={(people) => change({ people })} />
          <TermsField draft={draft} onChange={change} />
        </div>
        <div className="stack">
          <PreviewCard draft={draft} />
          <div className="send" aria-live="polite">
            {missing.map((words) => (
              <Notice key={words} kind="bad">
                {words}
              </Notice>
            ))}
            {error && <ErrorNotice error={error} />}
            {isSending && (
              <Progress
                label={share === undefined ? 'The documents are being checked' : 'Sending the documents'}
                share={share}
              />
            )}
            <Button kind="primary" icon={ICONS.requests} isBusy={isSending}>
              Send for signature
            </Button>
            <Button isBusy={isSending} onPress={() => void submit('Draft')}>
              Keep as a draft
            </Button>
          </div>
        </div>
      </form>
    </Page>
  )
}

/** The first document's title, until the person says something else. */
function suggestSubject(draft: Draft): Draft {
  const [first] = draft.documents
  return draft.subject === '' && first !== undefined ? { ...draft, subject: first.title } : draft
}

function useSending(draftId: string | undefined) {
  const [share, setShare] = useState<number>()
  const { isBusy, error, run } = useAction()
  const say = useToast()
  const abort = useRef(new AbortController())
  // The same key while the same thing is sent: a try whose answer was lost does not send it twice.
  const attempt = useRef({ what: '', key: '' })
  useEffect(() => () => abort.current.abort(), [])

  const send = (draft: Draft, status: 'Draft' | 'Open') =>
    run(async () => {
      const what = JSON.stringify([draft, draft.documents.map(({ key }) => key), status])
      if (attempt.current.what !== what) attempt.current = { what, key: crypto.randomUUID() }
      const { signal } = abort.current
      const { key: idempotencyKey } = attempt.current
      const id = await sendRequest({ id: draftId, draft, status, idempotencyKey, onProgress: setShare, signal })
      say(status === 'Open' ? 'Sent for signature.' : 'Kept as a draft.')
      navigate(`/console/requests/${id}`)
    })
  return { share, isSending: isBusy, error, send }
}

/** Whoever leaves with documents on the page is asked first. */
function useWarning(hasSomething: boolean): void {
  useEffect(() => {
    if (!hasSomething) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [hasSomething])
}
