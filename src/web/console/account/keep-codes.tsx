import { Button } from '../../ui/button.tsx'
import { Copy } from '../parts/copy.tsx'

/** The recovery codes, which are shown this once. */
export function KeepCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <>
      <p>
        From now on signing in takes more than your password. Keep these codes where you find them without your devices:
        each lets you in once. They are shown only now.
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="sheet-actions">
        <Copy text={codes.join('\n')} what="recovery codes" />
        <Button kind="primary" onPress={onClose}>
          I have kept them
        </Button>
      </div>
    </>
  )
}
