import type { Language } from '../languages.ts'
import { en, type EvidenceTexts } from './en.ts'

/** What evidence says; English where a language has not been written yet. */
export const EVIDENCE: Readonly<Partial<Record<Language, EvidenceTexts>> & { en: EvidenceTexts }> = { en }
