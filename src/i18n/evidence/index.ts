import type { Language } from '../languages.ts'
import { da } from './da.ts'
import { de } from './de.ts'
import { en, type EvidenceTexts } from './en.ts'
import { es } from './es.ts'
import { et } from './et.ts'
import { fi } from './fi.ts'
import { fr } from './fr.ts'
import { nb } from './nb.ts'
import { nl } from './nl.ts'
import { sv } from './sv.ts'

/** What the evidence of a signature request says. */
export const EVIDENCE: Readonly<Record<Language, EvidenceTexts>> = { en, fi, sv, nb, da, et, de, fr, es, nl }
