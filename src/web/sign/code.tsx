import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { sendCode, verifyCode, type Purpose, type SentCode } from './signer-api.ts'
import { useAction } from './use-action.ts'
import { useWords } from './words.ts'

const DIGITS = 6

export type CodeProps = { purpose: Purpose; channel: 'email' | 'sms'; onMet: () => Promise<void> }

/** First a button that sends the code, then the field for it. */
export function Code({ purpose, channel, onMet }: CodeProps) {
  const { say } = useWords()
  const [sent, setSent] = useState<SentCode>()
  const { isBusy, fault, run } = useAction()
  const send = () => run(async () => setSent(await sendCode(purpose)))

  return (
    <>
      <p>{say(purpose === 'reading' ? 'codeForReading' : 'codeForSigning')}</p>
      {sent && <Entry key={sent.expiresAt} purpose={purpose} sent={sent} onMet={onMet} />}
      {fault && <Notice kind="bad">{fault}</Notice>}
      <div className="sheet-actions">
        <Button kind={sent ? 'quiet' : 'primary'} isBusy={isBusy} onPress={() => void send()}>
          {sent ? say('codeNew') : say(channel === 'sms' ? 'codeSendSms' : 'codeSendEmail')}
        </Button>
      </div>
    </>
  )
}

function Entry({ purpose, sent, onMet }: { purpose: Purpose; sent: SentCode; onMet: () => Promise<void> }) {
  const { say, time } = useWords()
  const [code, setCode] = useState('')
  const { isBusy, fault, setFault, run } = useAction()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])

  const confirm = async () => {
    if (code.length !== DIGITS) return setFault(say('codeSixDigits'))
    const isRight = await run(async () => {
      await verifyCode(purpose, code)
      await onMet()
    })
    if (!isRight) input.current?.focus()
  }
  return (
    <form
      className="sheet-actions"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void confirm()
      }}
    >
      <p role="status">{say('codeSent', { address: sent.sentTo, time: time(sent.expiresAt) })}</p>
      <Field
        kind="code"
        label={say('codeLabel')}
        value={code}
        maxLength={DIGITS * 2}
        fault={fault}
        inputRef={input}
        onChange={(text) => setCode(text.replaceAll(/\D/g, '').slice(0, DIGITS))}
      />
      <Button kind="primary" isBusy={isBusy}>
        {say('codeConfirm')}
      </Button>
    </form>
  )
}
