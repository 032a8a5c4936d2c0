import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatMoment, formatSecond, formatTime } from './dates.ts'
import { LANGUAGES, localeOf, nearestLanguage, type Language } from './languages.ts'
import { nameEvent } from './events/index.ts'
import { MAIL } from './mail/index.ts'
import { makeSpeaker, placeholdersOf, translate, type Text, type Texts } from './translate.ts'

const SECTIONS = ['mail', 'sign', 'verify', 'evidence', 'events', 'report'] as const
type Section = (typeof SECTIONS)[number]

/** What is rightly the same as in English: names of things that nobody translates, and words that happen to agree. */
const SAME_AS_ENGLISH: Readonly<Record<string, readonly Language[]>> = {
  'evidence.sha256': LANGUAGES,
  'evidence.email': ['da'],
  'evidence.size': ['es', 'nl'],
  'sign.pages': ['fr'],
}

const catalogues = new Map<string, Texts>()
for (const section of SECTIONS) {
  for (const language of LANGUAGES) {
    const module = (await import(`./${section}/${language}.ts`)) as Record<string, Texts>
    catalogues.set(`${section}/${language}`, module[language]!)
  }
}
const catalogue = (section: Section, language: Language) => catalogues.get(`${section}/${language}`)!
const formsOf = (text: Text): string[] => (typeof text === 'string' ? [text] : [text.one, text.other])

describe('what the product says', () => {
  for (const section of SECTIONS) {
    const english = catalogue(section, 'en')
    for (const language of LANGUAGES.filter((language) => language !== 'en')) {
      const texts = catalogue(section, language)

      test(`${section} in ${language}: every key, with the same placeholders`, () => {
        assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort())
        for (const [key, text] of Object.entries(texts)) {
          const wanted = formsOf(english[key]!).map(placeholdersOf)
          assert.deepEqual(formsOf(text).map(placeholdersOf), wanted, `${key}: ${formsOf(text).join(' / ')}`)
        }
      })

      test(`${section} in ${language}: nothing is left in English`, () => {
        for (const [key, text] of Object.entries(texts)) {
          const isSame = formsOf(text).join() === formsOf(english[key]!).join()
          const isAllowed = SAME_AS_ENGLISH[`${section}.${key}`]?.includes(language) ?? false
          assert.ok(!isSame || isAllowed, `${section}.${key} is English: ${formsOf(text).join(' / ')}`)
        }
      })
    }

    test(`${section}: clean texts`, () => {
      for (const language of LANGUAGES) {
        for (const [key, text] of Object.entries(catalogue(section, language))) {
          for (const form of formsOf(text)) {
            assert.equal(form, form.trim(), `${language} ${key}`)
            assert.doesNotMatch(form, /[<>"]| {2}|\.\.\./, `${language} ${key}: ${form}`)
          }
        }
      }
    })
  }

  test('a message points at declining by the word that stands on the page', () => {
    for (const language of LANGUAGES) {
      const decline = formsOf(catalogue('sign', language)['decline']!)[0]!
      const howToDecline = formsOf(catalogue('mail', language)['howToDecline']!)[0]!
      assert.ok(howToDecline.includes(decline), `${language}: ${howToDecline}`)
    }
  })
})

describe('a language', () => {
  for (const [tag, nearest] of [
    ['en', 'en'],
    ['fi-FI', 'fi'],
    ['SV', 'sv'],
    ['sv_FI', 'sv'],
    ['no', 'nb'],
    ['nn-NO', 'nb'],
    ['de-CH-1996', 'de'],
    ['gsw', 'de'],
    ['ja', 'en'],
    ['den', 'en'],
    ['', 'en'],
    [null, 'en'],
    [undefined, 'en'],
    ['not a tag', 'en'],
  ] as const) {
    test(`that is nearest to ${tag} is ${nearest}`, () => assert.equal(nearestLanguage(tag), nearest))
  }

  for (const [tag, locale] of [
    ['en', 'en-GB'],
    ['en-US', 'en-US'],
    ['de-AT', 'de-AT'],
    ['nn-NO', 'nb'],
    ['de-x', 'de'],
    ['ja-JP', 'en-GB'],
  ] as const) {
    test(`asked for as ${tag} writes dates as in ${locale}`, () => assert.equal(localeOf(tag), locale))
  }

  test('tells the zone with every date', () => {
    const at = new Date('2030-01-31T22:30:00Z')
    for (const tag of LANGUAGES) {
      assert.match(formatMoment({ tag, at, timezone: 'UTC' }), /31.*2030.*22[.:]30.*UTC/, tag)
      assert.match(formatSecond({ tag, at, timezone: 'UTC' }), /31.*2030.*22[.:]30[.:]00.*UTC/, tag)
      assert.match(formatTime({ tag, at, timezone: 'UTC' }), /22[.:]30.*UTC/, tag)
      assert.match(
        formatMoment({ tag, at, timezone: 'Europe/Helsinki' }),
        /\b1\b.*2030.*00[.:]30.*(EET|OEZ|UTC|GMT)/,
        tag,
      )
    }
  })
})

describe('a text', () => {
  test('takes the form that the language has for the number', () => {
    const pages = { one: '{count} page', other: '{count} pages' }
    assert.deepEqual(
      [0, 1, 2].map((count) => translate('en', pages, { count })),
      ['0 pages', '1 page', '2 pages'],
    )
    assert.equal(translate('fr', pages, { count: 0 }), '0 page', 'in French nothing is singular')
  })

  test('is filled in once: braces in a value stay', () => {
    assert.equal(translate('en', '{a} and {b}', { a: '{b}', b: '{a} $& $1' }), '{b} and {a} $& $1')
    assert.equal(translate('en', '{a} and {missing}', { a: 1 }), '1 and {missing}')
    assert.equal(translate('en', 'Hello {constructor}'), 'Hello {constructor}')
  })

  test('comes from the catalogue of its language', () => {
    assert.equal(makeSpeaker(MAIL, 'fi')('greetingWithoutName'), 'Hei!')
    assert.equal(makeSpeaker(MAIL, 'de')('greeting', { name: 'Anna' }), 'Guten Tag Anna,')
  })

  test('names an event, or calls it by its type', () => {
    assert.equal(nameEvent('sv', 'signatorysigned'), 'Undertecknat')
    assert.equal(nameEvent('sv', 'somethingnew'), 'somethingnew')
    assert.equal(nameEvent('sv', 'constructor'), 'constructor')
  })
})
