const HOUR_S = 3600
const HOURS = 48

/**
 * Seconds to wait after each failure: little at first, then an hour for two days, so that whatever waits for a service
 * outside goes on within the hour once that is back. After the last the job is dead: kept, listed, and left to a person.
 */
export const RETRY_AFTER_S: readonly number[] = [5, 30, 120, 600, ...Array<number>(HOURS).fill(HOUR_S)]
