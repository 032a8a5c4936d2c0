// What the link at the foot of a message leads to. Opening it changes nothing: mail scanners may.
import { useEffect, useState } from 'react'
import { REPORT } from '#i18n/report/index.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { StatePage } from '../ui/state-page.tsx'
import { Frame } from './frame.tsx'
import { Refusal, REFUSALS, reportMessage } from './signer-api.ts'
import { useAction } from './use-action.ts'
import { useLoadedWords, useWords, WordsContext } from './words.ts'
import { WrongLink } from './wrong-link.tsx'

/** Asks once whether the message is to be reported, and says what comes of it. */
export function Report() {
  const [chosen, setChosen] = useState<string>()
  const words = useLoadedWords(chosen ?? navigator.language)
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    if (words) document.title = REPORT[words.language].title
  }, [words])
  if (words === undefined) return null
  return (
    <WordsContext.Provider value={words}>
      <Frame request={undefined} onLanguage={setChosen}>
        {outcome === undefined ? <Asking onOutcome={setOutcome} /> : outcome === 'done' ? <Reported /> : <WrongLink />}
      </Frame>
    </WordsContext.Provider>
  )
}

type Outcome = 'done' | 'wronglink'

function Asking({ onOutcome }: { onOutcome: (outcome: Outcome) => void }) {
  const texts = REPORT[useWords().language]
  const { isBusy, fault, run } = useAction()
  const token = location.pathname.split('/')[2] ?? ''
  const send = () => run(async () => onOutcome(await reportBy(token)))
  return (
    <StatePage icon="warning" title={texts.title}>
      <p>{texts.when}</p>
      <p>{texts.what}</p>
      {fault && <Notice kind="bad">{fault}</Notice>}
      <div className="state-page-actions">
        <Button kind="danger" isBusy={isBusy} onPress={() => void send()}>
          {texts.button}
        </Button>
      </div>
      <p>
        <a href={`/sign/${token}`}>{texts.open}</a>
      </p>
    </StatePage>
  )
}

/** A link that was cut off is no trouble of ours. */
async function reportBy(token: string): Promise<Outcome> {
  try {
    await reportMessage(token)
    return 'done'
  } catch (error) {
    if (error instanceof Refusal && error.code === REFUSALS.linkNotFound) return 'wronglink'
    throw error
  }
}

function Reported() {
  const texts = REPORT[useWords().language]
  return (
    <StatePage icon="done" tone="good" title={texts.doneTitle}>
      <p>{texts.doneText}</p>
      <p className="quiet">{texts.doneNext}</p>
    </StatePage>
  )
}
