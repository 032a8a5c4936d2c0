// What the verification page says.
import type { VerifyTexts } from '#i18n/verify/en.ts'
import { makePageWords, type Words as PageWords } from '../ui/words.ts'

export type Words = PageWords<VerifyTexts>
export type Key = keyof VerifyTexts

export const { WordsContext, useWords, useLoadedWords } = makePageWords<VerifyTexts>(
  import.meta.glob<Record<string, VerifyTexts>>('../../i18n/verify/??.ts'),
)
