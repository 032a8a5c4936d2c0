/** Where the current time comes from. Read once at the edge; everything below receives `now` as an argument. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
