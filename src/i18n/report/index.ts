import type { Language } from '../languages.ts'
import { da } from './da.ts'
import { de } from './de.ts'
import { en, type ReportTexts } from './en.ts'
import { es } from './es.ts'
import { et } from './et.ts'
import { fi } from './fi.ts'
import { fr } from './fr.ts'
import { nb } from './nb.ts'
import { nl } from './nl.ts'
import { sv } from './sv.ts'

/** All languages together: few words, asked for by few people. */
export const REPORT: Readonly<Record<Language, ReportTexts>> = { en, fi, sv, nb, da, et, de, fr, es, nl }
