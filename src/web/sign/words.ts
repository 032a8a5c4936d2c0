// The page's words in ten languages, of which one is loaded.
import { createContext, useContext, useEffect, useState } from 'react'
import { formatMoment, formatTime } from '#i18n/dates.ts'
import { nearestLanguage, type Language } from '#i18n/languages.ts'
import type { SignTexts } from '#i18n/sign/en.ts'
import { translate, type Values } from '#i18n/translate.ts'

const CATALOGUES = import.meta.glob<Record<string, SignTexts>>('../../i18n/sign/??.ts')

async function loadTexts(language: Language): Promise<SignTexts> {
  const load = CATALOGUES[`../../i18n/sign/${language}.ts`]
  return load === undefined ? loadTexts('en') : (await load())[language]!
}

export type Words = {
  language: Language
  say: (key: keyof SignTexts, values?: Values) => string
  /** Day and time in the reader's language and zone, with the zone. */
  moment: (iso: string) => string
  time: (iso: string) => string
}

export const WordsContext = createContext<Words | undefined>(undefined)

export function useWords(): Words {
  return useContext(WordsContext)!
}

/** The words of a language once they have arrived; until then those of the language before. */
export function useLoadedWords(tag: string | undefined): Words | undefined {
  const [words, setWords] = useState<Words>()
  useEffect(() => {
    if (tag === undefined) return undefined
    let isWanted = true
    const language = nearestLanguage(tag)
    void loadTexts(language).then((texts) => {
      if (!isWanted) return
      document.documentElement.lang = language
      setWords(makeWords(language, texts, tag))
    })
    return () => {
      isWanted = false
    }
  }, [tag])
  return words
}

function makeWords(language: Language, texts: SignTexts, tag: string): Words {
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return {
    language,
    say: (key, values) => translate(language, texts[key], values),
    moment: (iso) => formatMoment({ tag, at: new Date(iso), timezone }),
    time: (iso) => formatTime({ tag, at: new Date(iso), timezone }),
  }
}
