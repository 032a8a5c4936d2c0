import { fetchBytes } from './fetch-bytes.ts'

const TIMEOUT_MS = 10_000
const MOST_BYTES = 64 * 1024

/** Carries a timestamp request to the operator's authority and brings back its answer (RFC 3161 3.4). */
export function askTimestampAuthority(url: string, request: Buffer): Promise<Buffer> {
  return fetchBytes({
    url,
    method: 'POST',
    body: request,
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    isChosenByOperator: true,
    timeoutMs: TIMEOUT_MS,
    mostBytes: MOST_BYTES,
  })
}
