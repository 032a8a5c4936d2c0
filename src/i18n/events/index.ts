import type { Language } from '../languages.ts'
import { da } from './da.ts'
import { de } from './de.ts'
import { en, type EventTexts } from './en.ts'
import { es } from './es.ts'
import { et } from './et.ts'
import { fi } from './fi.ts'
import { fr } from './fr.ts'
import { nb } from './nb.ts'
import { nl } from './nl.ts'
import { sv } from './sv.ts'

/** What the events of a history are called. */
export const EVENTS: Readonly<Record<Language, EventTexts>> = { en, fi, sv, nb, da, et, de, fr, es, nl }

/** An event in words; one that has none is called by its type. */
export function nameEvent(language: Language, type: string): string {
  const texts: Readonly<Record<string, string>> = EVENTS[language]
  return Object.hasOwn(texts, type) ? texts[type]! : type
}
