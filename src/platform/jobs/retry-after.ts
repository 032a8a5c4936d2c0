/** Seconds to wait after each failure; after the last the job is dead: kept, listed, and left to a person. */
export const RETRY_AFTER_S = [5, 30, 120, 600, 3600, 6 * 3600, 12 * 3600, 24 * 3600] as const
