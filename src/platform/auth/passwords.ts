// Passwords: argon2id, two at a time, so that a flood of logins cannot take the machine.
import { hash, verify } from '@node-rs/argon2'
import { invalidArgument } from '#platform/errors.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

const ARGON2ID = 2
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const AT_ONCE = 2
const SHORTEST = 12
const LONGEST = 256

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize('NFKC'), OPTIONS))
}

let decoy: Promise<string> | undefined

/** Compares a password with a stored hash. Without one it works just as long, and answers no. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const against = stored ?? (await decoy)
  const isEqual = await inTurn(() => verify(against, password.normalize('NFKC')))
  return isEqual && stored !== null
}

/** Passes for a password that may be set: long enough and not among the first that anybody would try. */
export function requireGoodPassword(password: string, field: string): void {
  const length = [...password.normalize('NFKC')].length
  if (length < SHORTEST || length > LONGEST)
    throw invalidArgument(field, `must have ${SHORTEST} to ${LONGEST} characters`)
  if (COMMON_PASSWORDS.has(password.toLowerCase()) || /^(.)\1*$/.test(password)) {
    throw invalidArgument(field, 'is among the passwords that are tried first; choose another')
  }
}
