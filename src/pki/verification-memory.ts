// Signatures that were found right. The same bytes under the same key are right again; what was wrong is not kept.
import { hash, type KeyObject } from 'node:crypto'
import type { SignatureToVerify, VerificationMemory } from './algorithms.ts'

const MOST_OF_KEY = 200

export function makeVerificationMemory(): VerificationMemory {
  const right = new WeakMap<KeyObject, Set<string>>()
  return {
    has: (check) => right.get(check.publicKey)?.has(nameOf(check)) ?? false,
    add: (check) => {
      const names = right.get(check.publicKey) ?? new Set()
      right.set(check.publicKey, names)
      if (names.size >= MOST_OF_KEY) names.delete(names.values().next().value!)
      names.add(nameOf(check))
    },
  }
}

/** Everything besides the key that the answer depends on. All but the last part are of one length or have no spaces. */
function nameOf({ scheme, message, signature }: SignatureToVerify): string {
  const { family, hash: name, saltBytes = '' } = scheme
  return [family, name, saltBytes, hash('sha256', message, 'base64'), signature.toString('latin1')].join(' ')
}
