import { useEffect, useState, type ReactNode } from 'react'
import { LANGUAGE_NAMES, LANGUAGES } from '#i18n/languages.ts'
import { Select } from '../ui/select.tsx'
import { Checking } from './checking.tsx'
import { readEvidenceLink } from './evidence-link.ts'
import { FileTarget } from './file-target.tsx'
import { Result } from './result.tsx'
import { Start } from './start.tsx'
import { TroublePage } from './trouble.tsx'
import { useCheck, type Check } from './use-check.ts'
import { useLoadedWords, WordsContext } from './words.ts'

const OPTIONS = LANGUAGES.map((language) => [language, LANGUAGE_NAMES[language]] as const)
const link = readEvidenceLink(location.pathname)

/** The whole page: a file is chosen, then its verdict is shown. */
export function App() {
  const [tag, setTag] = useState(navigator.language)
  const words = useLoadedWords(tag)
  const check = useCheck(typeof link === 'object' ? link.code : undefined)
  useEffect(() => {
    if (words) document.title = words.say('title')
  }, [words])
  useEffect(() => void import('../ui/font.css'), [])
  if (words === undefined) return null
  return (
    <WordsContext.Provider value={words}>
      <header className="top">
        <p className="top-name">
          <strong>Countersign</strong>
        </p>
        <div className="top-tools">
          <Select
            label={words.say('language')}
            icon="language"
            value={words.language}
            options={OPTIONS}
            onChange={setTag}
          />
        </div>
      </header>
      <FileTarget onFile={check.check}>
        <main>{pageFor(check)}</main>
      </FileTarget>
    </WordsContext.Provider>
  )
}

function pageFor({ screen, check, startAgain }: Check): ReactNode {
  switch (screen.kind) {
    case 'start':
      return <Start link={link} onFile={check} />
    case 'checking':
      return <Checking name={screen.name} />
    case 'result':
      return <Result name={screen.name} report={screen.report} onFile={check} />
    default:
      return <TroublePage name={screen.name} trouble={screen.trouble} onAgain={startAgain} />
  }
}
