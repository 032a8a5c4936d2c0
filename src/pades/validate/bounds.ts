// What a stranger's file may cost: together these keep every file below two seconds and 256 MB.
import type { KeyObject } from 'node:crypto'
import type { VerificationMeter } from '#pki/algorithms.ts'
import type { Limits } from '../limits.ts'
import { tooComplex } from '../refused.ts'

export const READER_LIMITS: Partial<Limits> = {
  maxFileBytes: 512 * 1024 * 1024,
  maxObjectBytes: 4 * 1024 * 1024,
  maxValues: 250_000,
  maxSections: 500,
  maxXrefEntries: 300_000,
  maxInflatedBytes: 32 * 1024 * 1024,
  maxTotalInflatedBytes: 64 * 1024 * 1024,
  maxTotalParsedBytes: 48 * 1024 * 1024,
}

export const MAX_SIGNATURES = 250
export const MAX_REVISIONS = 500
/** Objects that revisions after the first signature may bring. */
export const MAX_CHANGED_OBJECTS = 20_000
/** References that are remembered to know who points to what. */
export const MAX_REFERENCES = 2_000_000
export const MAX_STORE_ITEMS = 1_500
export const MAX_STORE_BYTES = 8 * 1024 * 1024
/** Certificates from which a path may be built: those of a signature and of the document together. */
export const MAX_KNOWN_CERTIFICATES = 500
export const MAX_TOKENS = 5

/** One unit is one value looked at; reading an object costs as much as looking at fifteen values. */
export const MAX_EFFORT = 2_500_000
const EFFORT_OF_OBJECT = 15
/** Looked up anew in a revision that may have changed it. */
const EFFORT_OF_FIELD = 50
/** Checking a signature: P-256 and RSA have quick arithmetic, other keys take up to ten times as long. */
const EFFORT_OF_CHECK = { quick: 600, slower: 2_500, slowest: 6_000 }
const QUICK_CURVES = ['prime256v1']
const SLOWER_CURVES = ['secp384r1', 'brainpoolP256r1']
const QUICK_RSA_BITS = 4096

/**
 * Stops work on a file that stays just below each of the other bounds. Counted in work and not in seconds, so that a
 * verdict never depends on how busy the machine is.
 */
export class Effort {
  private readonly limit: number
  spent = 0

  /** Of what a validator may spend, all or a share. */
  constructor(share = 1) {
    this.limit = MAX_EFFORT * share
  }

  spendObject(): void {
    this.spend(EFFORT_OF_OBJECT)
  }

  spendField(): void {
    this.spend(EFFORT_OF_FIELD)
  }

  /** Fields that are as they were, which the objects that they are made of have to show in every revision. */
  spendKnownFields(fields: number, objects: number): void {
    this.spend(fields + objects)
  }

  /** A public key operation, with the hash of what it is about. */
  readonly spendVerification: VerificationMeter = ({ publicKey, message }) => {
    this.spend(EFFORT_OF_CHECK[speedOf(publicKey)] + message.length / 1000)
  }

  spend(units: number): void {
    this.spent += units
    if (this.spent > this.limit) throw tooComplex('it holds too much')
  }
}

function speedOf(key: KeyObject): keyof typeof EFFORT_OF_CHECK {
  const { namedCurve = '', modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType !== 'ec') return modulusLength <= QUICK_RSA_BITS ? 'quick' : 'slower'
  if (QUICK_CURVES.includes(namedCurve)) return 'quick'
  return SLOWER_CURVES.includes(namedCurve) ? 'slower' : 'slowest'
}
