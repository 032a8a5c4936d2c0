/** The queue of requests that wait for their seal. */
export const SEAL_QUEUE = 'sealing.seal'
