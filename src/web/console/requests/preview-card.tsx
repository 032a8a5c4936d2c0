import { useEffect, useState } from 'react'
import type { Language } from '#i18n/languages.ts'
import type { MailTexts } from '#i18n/mail/en.ts'
import { translate, type Values } from '#i18n/translate.ts'
import { formatCount, formatDay, nameOf } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Choice } from '../parts/choice.tsx'
import { useMe } from '../session.ts'
import { callPerson, endOfDay, type Draft, type DraftPerson } from './draft.ts'
import { STRENGTH_NAMES } from './words.ts'

const MAIL = import.meta.glob<Record<string, MailTexts>>('../../../i18n/mail/??.ts')

/** What each person will get and see, in that person's language. */
export function PreviewCard({ draft }: { draft: Draft }) {
  const [chosen, setChosen] = useState('0')
  const index = Math.min(Number(chosen), draft.people.length - 1)
  const person = draft.people[index]
  return (
    <Card title="What people will see">
      {draft.people.length > 1 && (
        <Choice
          label="Person"
          value={String(index)}
          options={draft.people.map((other, at) => [String(at), callPerson(other, at)] as const)}
          onChange={setChosen}
        />
      )}
      {person !== undefined && <Letter draft={draft} person={person} />}
      {person !== undefined && <Steps draft={draft} person={person} />}
    </Card>
  )
}

function Letter({ draft, person }: { draft: Draft; person: DraftPerson }) {
  const me = useMe()
  const say = useMail(draft.language)
  if (draft.delivery === 'Link')
    return (
      <p className="quiet">Nobody is messaged. You hand over each person’s link yourself, from the request’s page.</p>
    )
  if (say === undefined) return <blockquote className="letter letter-to-come" aria-busy="true" />
  const subject = draft.subject.trim() || '…'
  const names = { organisation: me.organisation, subject }
  const name = [person.firstName, person.lastName].filter(Boolean).join(' ')
  if (draft.delivery === 'Sms')
    return (
      <blockquote className="letter" lang={draft.language}>
        {say('smsInvitation', { ...names, url: 'https://…' })}
      </blockquote>
    )
  return (
    <blockquote className="letter" lang={draft.language}>
      <p className="small quiet">{person.email || 'name@example.com'}</p>
      <p>
        <strong>{say('invitationSubject', names)}</strong>
      </p>
      <p>{name ? say('greeting', { name }) : say('greetingWithoutName')}</p>
      <p>{say('invitationHeadline', names)}</p>
      <p>{say('sentBy', { sender: nameOf(me) })}</p>
      <p className="letter-button">{say('signButton')}</p>
    </blockquote>
  )
}

function Steps({ draft, person }: { draft: Draft; person: DraftPerson }) {
  const before = draft.people.filter((other) => other.group < person.group && other.isMandatory).length
  const lastDay = endOfDay(draft.lastDay)
  const steps = [
    before > 0 && `Their turn comes when ${formatCount(before, 'person has', 'people have')} signed before them.`,
    draft.reading !== 'None' && `Before reading: ${STRENGTH_NAMES[draft.reading].toLowerCase()}.`,
    `They read ${formatCount(draft.documents.length, 'document', 'documents')}${listTitles(draft)}.`,
    draft.signing === 'None'
      ? 'They sign, or decline with a reason.'
      : `Before signing: ${STRENGTH_NAMES[draft.signing].toLowerCase()}. Then they sign, or decline with a reason.`,
    lastDay === undefined ? 'They have 30 days.' : `They can sign until the end of ${formatDay(lastDay)}.`,
  ].filter((step) => step !== false)
  return (
    <ol className="steps">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  )
}

function listTitles({ documents }: Draft): string {
  return documents.length === 0 ? '' : `: ${documents.map(({ title, file }) => title || file.name).join(', ')}`
}

/** The words of messages in one language, once they have arrived. */
function useMail(language: Language): ((key: keyof MailTexts, values?: Values) => string) | undefined {
  const [loaded, setLoaded] = useState<{ language: Language; texts: MailTexts }>()
  useEffect(() => {
    const load = MAIL[`../../../i18n/mail/${language}.ts`]
    void load?.().then((module) => setLoaded({ language, texts: module[language]! }))
  }, [language])
  if (loaded === undefined) return undefined
  return (key, values) => translate(loaded.language, loaded.texts[key], values)
}
