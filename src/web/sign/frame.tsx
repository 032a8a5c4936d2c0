import { useState, type ReactNode } from 'react'
import { LANGUAGE_NAMES, LANGUAGES } from '#i18n/languages.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/select.tsx'
import { HelpSheet } from './help-sheet.tsx'
import type { SigningRequest } from './signer-api.ts'
import { useWords } from './words.ts'

const OPTIONS = LANGUAGES.map((language) => [language, LANGUAGE_NAMES[language]] as const)

export type FrameProps = {
  request: SigningRequest | undefined
  onLanguage: (language: string) => void
  children: ReactNode
}

/** The top of every page: who sends it, language, help. Nothing else. */
export function Frame({ request, onLanguage, children }: FrameProps) {
  const { say, language } = useWords()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const sender = request?.sender
  return (
    <>
      <header className="top">
        <p className="top-sender">
          {sender && <strong>{sender.organisation}</strong>}
          {sender?.person && <span className="quiet small">{say('from', { sender: sender.person })}</span>}
        </p>
        <div className="top-tools">
          <Select label={say('language')} icon="language" value={language} options={OPTIONS} onChange={onLanguage} />
          <Button icon="help" onPress={() => setHelpOpen(true)}>
            {say('help')}
          </Button>
        </div>
      </header>
      <main>{children}</main>
      {isHelpOpen && <HelpSheet request={request} onClose={() => setHelpOpen(false)} />}
    </>
  )
}
