import { Button } from '../../ui/button.tsx'
import { ICONS } from '../icons.ts'
import { Input } from '../parts/input.tsx'

const MOST_HEADERS = 20
const NAME_LENGTH = 200
const VALUE_LENGTH = 4096

export type Header = { key: number; name: string; value: string }

/** As the service takes them; a line without a name says nothing. */
export function toMap(headers: readonly Header[]): Record<string, string> {
  return Object.fromEntries(
    headers.map(({ name, value }) => [name.trim(), value.trim()] as const).filter(([name]) => name !== ''),
  )
}

export type HeadersFieldProps = { headers: Header[]; onChange: (headers: Header[]) => void }

/** Headers that go with every delivery, such as one by which the receiver lets it in. */
export function HeadersField({ headers, onChange }: HeadersFieldProps) {
  const change = (header: Header, changes: Partial<Header>) =>
    onChange(headers.map((other) => (other === header ? { ...other, ...changes } : other)))
  const nextKey = (headers.at(-1)?.key ?? 0) + 1
  return (
    <fieldset className="person">
      <legend>Headers of your own</legend>
      {headers.length === 0 && <p className="quiet small">Sent with every delivery, and kept encrypted.</p>}
      {headers.map((header, index) => (
        <div key={header.key} className="fields">
          <Input
            label={`Header ${index + 1}`}
            value={header.name}
            onChange={(name) => change(header, { name })}
            maxLength={NAME_LENGTH}
            isRequired
          />
          <Input
            label={`Value of header ${index + 1}`}
            value={header.value}
            onChange={(value) => change(header, { value })}
            maxLength={VALUE_LENGTH}
            isRequired
          />
          <Button icon={ICONS.remove} onPress={() => onChange(headers.filter((other) => other !== header))}>
            Remove<span className="for-screen-readers"> header {index + 1}</span>
          </Button>
        </div>
      ))}
      {headers.length < MOST_HEADERS && (
        <div>
          <Button icon={ICONS.plus} onPress={() => onChange([...headers, { key: nextKey, name: '', value: '' }])}>
            Add a header
          </Button>
        </div>
      )}
    </fieldset>
  )
}
