// Somebody who went to the identity provider and came back: what for, and what came of it. It stands in the address once.
import type { Purpose } from './signer-api.ts'

type CameBack = { purpose: string | null; outcome: string | null }

const cameBack = readAddress()

function readAddress(): CameBack {
  const query = new URLSearchParams(location.search)
  const found = { purpose: query.get('purpose'), outcome: query.get('strong') }
  if (found.outcome !== null) history.replaceState(null, '', location.pathname)
  return found
}

/** What came of the last visit for this purpose; null where there was none. */
export function outcomeOf(purpose: Purpose): string | null {
  return cameBack.purpose === purpose ? cameBack.outcome : null
}
