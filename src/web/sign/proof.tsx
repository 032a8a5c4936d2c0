import { Code } from './code.tsx'
import type { Purpose } from './signer-api.ts'
import { Strong } from './strong.tsx'

export type ProofProps = { purpose: Purpose; strength: string; onMet: () => Promise<void> }

/** The proof that a strength asks for: a one-time code, or an identity provider. */
export function Proof({ purpose, strength, onMet }: ProofProps) {
  if (strength === 'Strong') return <Strong purpose={purpose} />
  return <Code purpose={purpose} channel={strength === 'Sms' ? 'sms' : 'email'} onMet={onMet} />
}
