// A page's words in ten languages, of which one is loaded.
import { createContext, useContext, useEffect, useState, type Context } from 'react'
import { formatMoment, formatTime } from '#i18n/dates.ts'
import { nearestLanguage, type Language } from '#i18n/languages.ts'
import { translate, type Texts, type Values } from '#i18n/translate.ts'

export type Words<T extends Texts> = {
  language: Language
  say: (key: keyof T & string, values?: Values) => string
  /** Day and time in the reader's language and zone, with the zone. */
  moment: (iso: string) => string
  time: (iso: string) => string
}

/** The catalogues as the build finds them: a module for each language, which exports its texts under that name. */
export type Catalogues<T extends Texts> = Record<string, () => Promise<Record<string, T>>>

export type PageWords<T extends Texts> = {
  WordsContext: Context<Words<T> | undefined>
  useWords: () => Words<T>
  /** The words of a language once they have arrived; until then those of the language before. */
  useLoadedWords: (tag: string | undefined) => Words<T> | undefined
}

/** What the parts of one page speak with. */
export function makePageWords<T extends Texts>(catalogues: Catalogues<T>): PageWords<T> {
  const WordsContext = createContext<Words<T> | undefined>(undefined)

  async function loadTexts(language: Language): Promise<T> {
    const path = Object.keys(catalogues).find((name) => name.endsWith(`/${language}.ts`))
    return path === undefined ? loadTexts('en') : (await catalogues[path]!())[language]!
  }

  function useLoadedWords(tag: string | undefined): Words<T> | undefined {
    const [words, setWords] = useState<Words<T>>()
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

  return { WordsContext, useWords: () => useContext(WordsContext)!, useLoadedWords }
}

function makeWords<T extends Texts>(language: Language, texts: T, tag: string): Words<T> {
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return {
    language,
    say: (key, values) => translate(language, texts[key]!, values),
    moment: (iso) => formatMoment({ tag, at: new Date(iso), timezone }),
    time: (iso) => formatTime({ tag, at: new Date(iso), timezone }),
  }
}
