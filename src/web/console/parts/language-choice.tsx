import { LANGUAGE_NAMES, LANGUAGES, type Language } from '#i18n/languages.ts'
import { Choice } from './choice.tsx'

const OPTIONS = LANGUAGES.map((language) => [language, LANGUAGE_NAMES[language]] as const)

export type LanguageChoiceProps = { label: string; value: Language; onChange: (value: Language) => void }

/** One of the languages that the product speaks to people. */
export function LanguageChoice(props: LanguageChoiceProps) {
  return <Choice {...props} options={OPTIONS} />
}

export type LanguageTagChoiceProps = {
  label: string
  /** What it says where none is chosen. */
  anyLabel: string
  /** A BCP 47 tag, or nothing. A program may have written one that is not among ours; it stays until another is chosen. */
  value: string
  onChange: (value: string) => void
}

/** One of these languages, or none. */
export function LanguageTagChoice({ label, anyLabel, value, onChange }: LanguageTagChoiceProps) {
  const options: (readonly [string, string])[] = [['', anyLabel], ...OPTIONS]
  if (!options.some(([tag]) => tag === value)) options.push([value, value])
  return <Choice label={label} value={value} options={options} onChange={onChange} />
}
