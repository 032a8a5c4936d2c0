import { formatAmount } from '../format.ts'
import { Link } from '../router.tsx'
import type { Answer } from '../service.ts'

type State = Answer<'readOverview'>

/** How many requests stand where; each figure leads to them. */
export function Figures({ state: { signatureRequests } }: { state: State }) {
  const { open, draft, processing, error } = signatureRequests
  return (
    <ul className="figures">
      <Figure to="/console/requests?status=Open" amount={open} name="Waiting for people" />
      <Figure to="/console/requests?status=Draft" amount={draft} name="Drafts" />
      <Figure to="/console/requests?status=Processing" amount={processing} name="Being sealed" />
      <Figure to="/console/requests?status=Error" amount={error} name="Need attention" />
    </ul>
  )
}

function Figure({ to, amount, name }: { to: string; amount: number; name: string }) {
  return (
    <li className="figure">
      <Link to={to}>
        <strong>{formatAmount(amount)}</strong>
        <span className="quiet small">{name}</span>
      </Link>
    </li>
  )
}
