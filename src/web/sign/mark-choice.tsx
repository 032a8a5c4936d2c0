import { useState } from 'react'
import { Field } from '../ui/field.tsx'
import { DrawField } from './draw-field.tsx'
import type { Mark } from './signer-api.ts'
import { useWords } from './words.ts'

const KINDS = [
  ['none', 'markNone'],
  ['typed', 'markTyped'],
  ['drawn', 'markDrawn'],
] as const

const NAME_LENGTH = 100

type Kind = (typeof KINDS)[number][0]

/** The handwriting that goes with the signature, if the person wants any. */
export function MarkChoice({ name, onChange }: { name: string; onChange: (mark: Mark | undefined) => void }) {
  const { say } = useWords()
  const [kind, setKind] = useState<Kind>('none')
  const [text, setText] = useState(name)
  const type = (typed: string) => {
    setText(typed)
    onChange(typed.trim() === '' ? undefined : { kind: 'typed', text: typed.trim() })
  }
  const choose = (chosen: Kind) => {
    setKind(chosen)
    onChange(undefined)
    if (chosen !== 'typed') return
    void import('./handwriting.css')
    type(text)
  }
  return (
    <fieldset className="mark">
      <legend>{say('markTitle')}</legend>
      <div className="mark-kinds">
        {KINDS.map(([value, word]) => (
          <label key={value}>
            <input type="radio" name="mark" value={value} checked={kind === value} onChange={() => choose(value)} />
            <span>{say(word)}</span>
          </label>
        ))}
      </div>
      {kind === 'typed' && (
        <div className="mark-typed">
          <Field label={say('markTypedLabel')} value={text} maxLength={NAME_LENGTH} onChange={type} />
        </div>
      )}
      {kind === 'drawn' && (
        <DrawField onChange={(strokes) => onChange(strokes.length === 0 ? undefined : { kind: 'drawn', strokes })} />
      )}
    </fieldset>
  )
}
