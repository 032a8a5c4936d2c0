import { Button } from '../../ui/button.tsx'
import { ICONS } from '../icons.ts'
import { Input } from '../parts/input.tsx'
import type { Placement } from './request-template-fields.ts'

/** A4 in points; other sizes are drawn on it as well as they go. */
const PAGE = { width: 595, height: 842 }
const FIRST: Placement = { documentIndex: 0, signatoryIndex: 0, page: 1, x: 72, y: 680, width: 200, height: 60 }
const MOST = 100

export type PlacementsProps = { placements: Placement[]; onChange: (placements: Placement[]) => void }

/** Where signatures show on the page: numbers at the left, how it looks at the right. */
export function Placements({ placements, onChange }: PlacementsProps) {
  const change = (index: number, changed: Placement) =>
    onChange(placements.map((placement, at) => (at === index ? changed : placement)))
  const add = () => {
    const last = placements.at(-1)
    onChange([...placements, last ? { ...last, signatoryIndex: last.signatoryIndex + 1, y: last.y - 80 } : FIRST])
  }
  return (
    <div className="placements">
      <div className="stack">
        {placements.map((placement, index) => (
          <PlacementFields
            key={index}
            number={index + 1}
            placement={placement}
            onChange={(changed) => change(index, changed)}
            onRemove={() => onChange(placements.filter((_, at) => at !== index))}
          />
        ))}
        {placements.length < MOST && (
          <div className="actions">
            <Button icon={ICONS.plus} onPress={add}>
              Add a visible signature
            </Button>
          </div>
        )}
      </div>
      {placements.length > 0 && <Preview placements={placements} />}
    </div>
  )
}

type PlacementFieldsProps = {
  number: number
  placement: Placement
  onChange: (placement: Placement) => void
  onRemove: () => void
}

const FIELDS = [
  ['documentIndex', 'Document', 1],
  ['signatoryIndex', 'Signatory', 1],
  ['page', 'Page', 0],
  ['x', 'From the left', 0],
  ['y', 'From the top', 0],
  ['width', 'Width', 0],
  ['height', 'Height', 0],
] as const

/** People count from one; the service counts documents and signatories from zero. */
function PlacementFields({ number, placement, onChange, onRemove }: PlacementFieldsProps) {
  return (
    <fieldset className="placement">
      <legend>Visible signature {number}</legend>
      {FIELDS.map(([name, label, offset]) => (
        <Input
          key={name}
          label={label}
          kind="number"
          min={String(offset === 1 || name === 'page' ? 1 : 0)}
          max="14400"
          value={String(placement[name] + offset)}
          onChange={(value) => onChange({ ...placement, [name]: Number(value) - offset })}
          maxLength={6}
          isRequired
        />
      ))}
      <Button kind="quiet" icon={ICONS.remove} onPress={onRemove}>
        Take out<span className="for-screen-readers"> visible signature {number}</span>
      </Button>
    </fieldset>
  )
}

/** The first page that carries a signature, with every signature on it. */
function Preview({ placements }: { placements: Placement[] }) {
  const [{ page, documentIndex }] = placements as [Placement, ...Placement[]]
  const shown = placements.filter((placement) => placement.page === page && placement.documentIndex === documentIndex)
  return (
    <figure className="placement-preview">
      <svg
        viewBox={`0 0 ${PAGE.width} ${PAGE.height}`}
        role="img"
        aria-label={`Page ${page} with ${shown.length} signatures`}
      >
        <rect className="placement-page" width={PAGE.width} height={PAGE.height} />
        {shown.map((placement, index) => (
          <g key={index}>
            <rect
              className="placement-mark"
              x={placement.x}
              y={placement.y}
              width={placement.width}
              height={placement.height}
            />
            <text className="placement-name" x={placement.x + 8} y={placement.y + placement.height / 2 + 8}>
              Signatory {placement.signatoryIndex + 1}
            </text>
          </g>
        ))}
      </svg>
      <figcaption className="quiet small">
        Page {page} of document {documentIndex + 1}, drawn as A4. Points: 72 are an inch.
      </figcaption>
    </figure>
  )
}
