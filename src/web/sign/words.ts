// What the signing page says.
import type { SignTexts } from '#i18n/sign/en.ts'
import { makePageWords, type Words as PageWords } from '../ui/words.ts'

export type Words = PageWords<SignTexts>

export const { WordsContext, useWords, useLoadedWords } = makePageWords<SignTexts>(
  import.meta.glob<Record<string, SignTexts>>('../../i18n/sign/??.ts'),
)
