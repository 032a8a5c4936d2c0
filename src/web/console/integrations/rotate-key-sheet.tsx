import { useState } from 'react'
import { Choice } from '../parts/choice.tsx'
import { FormSheet } from '../parts/form-sheet.tsx'
import { service } from '../service.ts'
import { KeyValues } from './key-values.tsx'
import type { ShownKey } from './shown-key.ts'

const WHICH = [
  ['secondary', 'The secondary value'],
  ['primary', 'The primary value'],
] as const

type Which = (typeof WHICH)[number][0]

export type RotateKeySheetProps = { item: ShownKey; onClose: () => void; onDone: () => Promise<void> }

/** Replaces one of a key's two values, and then shows the new one. */
export function RotateKeySheet({ item, onClose, onDone }: RotateKeySheetProps) {
  const [which, setWhich] = useState<Which>('secondary')
  const [value, setValue] = useState<string>()
  if (value !== undefined) {
    const label = which === 'primary' ? 'New primary value' : 'New secondary value'
    return <KeyValues title={`The key ${item.name}`} values={[[label, value]]} onClose={onClose} />
  }
  return (
    <FormSheet
      title={`Replace a value of ${item.name}`}
      action="Replace it"
      onClose={onClose}
      onSubmit={async () => {
        const { primaryKey, secondaryKey } = await service.rotateSubscriptionKey({ id: item.id, which })
        setValue(primaryKey ?? secondaryKey)
        await onDone()
      }}
    >
      <p>
        The value that you choose stops working at once; the other one goes on. So: let your programs use one, replace
        the other, change your programs over, then replace the first.
      </p>
      <Choice label="Replace" value={which} options={WHICH} onChange={setWhich} />
    </FormSheet>
  )
}
