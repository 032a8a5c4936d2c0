import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { CommandLine } from '../parts/command-line.tsx'
import { Secret } from '../parts/secret.tsx'

export type KeyValuesProps = {
  title: string
  values: readonly (readonly [label: string, value: string])[]
  onClose: () => void
}

/** New values of a key, this once. */
export function KeyValues({ title, values, onClose }: KeyValuesProps) {
  const [first] = values
  return (
    <Sheet title={title} closeLabel="Close" onClose={onClose}>
      <Notice kind="warn">Copy what you need now: it is shown this once and never again.</Notice>
      {values.map(([label, value]) => (
        <Secret key={label} label={label} value={value} />
      ))}
      {first !== undefined && (
        <CommandLine
          label="Try it"
          command={`curl -s '${window.location.origin}/signing/signaturerequest?take=1' \\\n  -H 'Ocp-Apim-Subscription-Key: ${first[1]}'`}
        />
      )}
      <div className="sheet-actions">
        <Button kind="primary" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    </Sheet>
  )
}
