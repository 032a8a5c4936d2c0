import { Card } from '../parts/card.tsx'
import { Choice } from '../parts/choice.tsx'
import { Input } from '../parts/input.tsx'
import { LanguageChoice } from '../parts/language-choice.tsx'
import type { Delivery, Draft, Strength } from './draft.ts'
import { useChoices, type AuthenticationChoices } from './use-choices.ts'
import { DELIVERY_NAMES, STRENGTH_NAMES } from './words.ts'

const SUBJECT_LENGTH = 500
const REFERENCE_LENGTH = 255
const DAY_MS = 24 * 3600 * 1000

export type TermsFieldProps = { draft: Draft; onChange: (changes: Partial<Draft>) => void }

/** What it is about, until when, how people are reached, and how they prove who they are. */
export function TermsField({ draft, onChange }: TermsFieldProps) {
  const choices = useChoices()
  const strengths = listStrengths(choices, draft)
  return (
    <Card title="Terms">
      <Input
        label="Subject"
        hint="People read it in the message and above the documents."
        value={draft.subject}
        onChange={(subject) => onChange({ subject })}
        maxLength={SUBJECT_LENGTH}
      />
      <div className="fields">
        <Input
          label="Last day to sign"
          kind="date"
          hint="Without one, 30 days."
          min={dayAfter(0)}
          value={draft.lastDay}
          onChange={(lastDay) => onChange({ lastDay })}
          maxLength={10}
        />
        <LanguageChoice
          label="Language of messages"
          value={draft.language}
          onChange={(language) => onChange({ language })}
        />
        <Choice
          label="How people are reached"
          value={draft.delivery}
          options={listDeliveries(choices, draft)}
          onChange={(delivery) => onChange({ delivery })}
        />
        <Choice
          label="Before reading"
          value={draft.reading}
          options={strengths}
          onChange={(reading) => onChange({ reading })}
        />
        <Choice
          label="Before signing"
          value={draft.signing}
          options={strengths}
          onChange={(signing) => onChange({ signing })}
        />
        <Input
          label="Your own reference"
          hint="Only you see it."
          value={draft.reference}
          onChange={(reference) => onChange({ reference })}
          maxLength={REFERENCE_LENGTH}
        />
      </div>
    </Card>
  )
}

/** What this installation can do, and what is chosen already. */
function listStrengths(choices: AuthenticationChoices | undefined, { reading, signing }: Draft) {
  const all = Object.entries(STRENGTH_NAMES) as [Strength, string][]
  return all.filter(([word]) => (choices?.strengths.includes(word) ?? true) || word === reading || word === signing)
}

function listDeliveries(choices: AuthenticationChoices | undefined, { delivery }: Draft) {
  const all = Object.entries({ ...DELIVERY_NAMES, 'Email Sms': 'E-mail and text message' }) as [Delivery, string][]
  const isOffered = (word: Delivery) =>
    word === delivery ||
    word.split(' ').every((method) => choices?.deliveryMethods.some((one) => one === method) ?? true)
  return all.filter(([word]) => isOffered(word))
}

/** A day as the browser's control writes it. */
export function dayAfter(days: number): string {
  const at = new Date(Date.now() + days * DAY_MS)
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
}
