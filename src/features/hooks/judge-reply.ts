// What a receiver's answer means for the delivery and for its lane.
import type { Reply } from '#platform/outbound/sender.ts'
import type { TryResult } from './lane.ts'
import { nextTryAt, readRetryAfter } from './retry-schedule.ts'

export type TriedDelivery = { isTest: boolean; tries: number; triesBefore: number }

export type Judgement = {
  state: 'delivered' | 'waiting' | 'parked'
  /** Of the next try, while it is waiting. */
  dueAt: Date | undefined
  error: string | undefined
  result: Omit<TryResult, 'isMostlyFailing'>
}

const OVERLOADED = [429, 502, 503, 504]
const GONE = 410

/** 2xx is success and nothing else is. `chance` spreads the retries: a number from 0 to 1. */
export function judgeReply(delivery: TriedDelivery, reply: Reply, at: Date, chance: number): Judgement {
  const { status } = reply
  const { isTest } = delivery
  if (status !== undefined && status >= 200 && status < 300) {
    const result = { at, isSuccess: true, isGone: false, pauseS: undefined, isTest }
    return { state: 'delivered', dueAt: undefined, error: undefined, result }
  }
  const isOverloaded = reply.isTimeout || (status !== undefined && OVERLOADED.includes(status))
  const retryAfterS = readRetryAfter(reply.retryAfter, at)
  const isGone = status === GONE
  const failure = { at, failedTries: delivery.tries + 1 - delivery.triesBefore, isOverloaded, retryAfterS }
  const dueAt = isGone || isTest ? undefined : nextTryAt(failure, chance)
  return {
    state: dueAt === undefined ? 'parked' : 'waiting',
    dueAt,
    error: reply.error ?? explainStatus(status),
    result: { at, isSuccess: false, isGone, pauseS: isOverloaded ? retryAfterS : undefined, isTest },
  }
}

function explainStatus(status: number | undefined): string | undefined {
  if (status === GONE) return 'the receiver says that it is gone for good'
  if (status !== undefined && status >= 300 && status < 400) return 'redirects are not followed'
  return undefined
}
