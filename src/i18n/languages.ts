// The languages that the product speaks to people, and which of them is nearest to the one that somebody asked for.

export const LANGUAGES = ['en', 'fi', 'sv', 'nb', 'da', 'et', 'de', 'fr', 'es', 'nl'] as const
export type Language = (typeof LANGUAGES)[number]

/** What each calls itself, for whoever looks for their own. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  fi: 'Suomi',
  sv: 'Svenska',
  nb: 'Norsk',
  da: 'Dansk',
  et: 'Eesti',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  nl: 'Nederlands',
}

/** Languages whose readers also read one of ours: Norwegian as a whole, Nynorsk, Swiss German, Võro. */
const NEIGHBOURS: ReadonlyMap<string, Language> = new Map([
  ['no', 'nb'],
  ['nn', 'nb'],
  ['gsw', 'de'],
  ['vro', 'et'],
])

/** The nearest language to a BCP 47 tag; English where none is near. */
export function nearestLanguage(tag: string | null | undefined): Language {
  const primary = (tag ?? '').trim().toLowerCase().split(/[-_]/)[0]!
  return LANGUAGES.find((language) => language === primary) ?? NEIGHBOURS.get(primary) ?? 'en'
}

/** How dates are written for whoever asked for this tag: as in their region, where it is one of the language used. */
export function localeOf(tag: string | null | undefined): string {
  const language = nearestLanguage(tag)
  const given = (tag ?? '').trim()
  const isRegional = given.includes('-') && given.toLowerCase().startsWith(`${language}-`)
  if (isRegional && isLocale(given)) return given
  // Plain English is read all over the world, where days come before months and hours go to 24.
  return language === 'en' ? 'en-GB' : language
}

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length === 1
  } catch {
    return false
  }
}
