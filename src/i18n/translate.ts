// Texts with {placeholders}, in one form or in two for one and for many. Translations hold words alone, never markup.
import type { Language } from './languages.ts'

/** Two forms are enough for every language here; which numbers take which is the language's own rule. */
export type Plural = Readonly<{ one: string; other: string }>
export type Text = string | Plural
export type Texts = Readonly<Record<string, Text>>
export type Values = Readonly<Record<string, string | number>>

/** The same keys with the same kind of text: what another language has to fill in. */
export type SameKeys<T extends Texts> = Readonly<{ [K in keyof T]: T[K] extends string ? string : Plural }>

const PLACEHOLDER = /\{([a-zA-Z]+)\}/g
const rules = new Map<Language, Intl.PluralRules>()

/** The text with its values filled in, in one pass: braces inside a value stay what they are. */
export function translate(language: Language, text: Text, values: Values = {}): string {
  const form = typeof text === 'string' ? text : text[formOf(language, values['count'])]
  return form.replaceAll(PLACEHOLDER, (marker, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : marker,
  )
}

/** Speaks from one catalogue in one language. */
export function makeSpeaker<T extends Texts>(
  catalogue: Readonly<Record<Language, T>>,
  language: Language,
): (key: keyof T & string, values?: Values) => string {
  return (key, values) => translate(language, catalogue[language][key]!, values)
}

function formOf(language: Language, count: string | number | undefined): keyof Plural {
  const found = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, found)
  return found.select(Number(count)) === 'one' ? 'one' : 'other'
}

/** The placeholders of a text, each once, in order of the alphabet. */
export function placeholdersOf(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1]!))].sort()
}
