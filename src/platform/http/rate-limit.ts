// Calls per minute and subscription key, as a bucket that refills evenly. Each process counts for itself.
import { AppError } from '#platform/errors.ts'
import { tooManyCalls } from './edge-errors.ts'

type Bucket = { left: number; at: number }

const REMEMBER_AT_MOST = 50_000

export type RateLimit = { take(key: string): Record<string, string> }

export function makeRateLimit(callsPerMinute: number, monotonicMs: () => number = () => performance.now()): RateLimit {
  const buckets = new Map<string, Bucket>()
  const perMs = callsPerMinute / 60_000
  return {
    /** Counts one call, and answers with the headers that tell how many are left. */
    take(key) {
      const at = monotonicMs()
      const bucket = buckets.get(key) ?? { left: callsPerMinute, at }
      bucket.left = Math.min(callsPerMinute, bucket.left + (at - bucket.at) * perMs)
      bucket.at = at
      if (buckets.size >= REMEMBER_AT_MOST) buckets.clear()
      buckets.set(key, bucket)
      if (bucket.left < 1) {
        const error = tooManyCalls()
        throw new AppError(error.classification, error.code, error.message, {
          retryAfterS: Math.ceil((1 - bucket.left) / perMs / 1000),
        })
      }
      bucket.left -= 1
      return {
        'ratelimit-limit': String(callsPerMinute),
        'ratelimit-remaining': String(Math.floor(bucket.left)),
        'ratelimit-reset': String(Math.ceil((callsPerMinute - bucket.left) / perMs / 1000)),
      }
    },
  }
}

/** Whoever has one address of IPv6 has the whole network of it (/64): those count as one. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail = ''] = address.split('::')
  const groupsOf = (part: string) => part.split(':').filter((group) => group !== '')
  const missing = Math.max(0, 8 - groupsOf(head).length - groupsOf(tail).length)
  const groups = [...groupsOf(head), ...Array<string>(missing).fill('0'), ...groupsOf(tail)]
  return groups.slice(0, 4).join(':')
}
