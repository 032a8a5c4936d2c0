// RFC 9110 14: one range of bytes. Several at once, other units and malformed headers are ignored, which the standard
// allows and which no client minds: it then gets the whole document.

export type RequestedRange = 'whole' | 'unsatisfiable' | { start: number; end: number }

const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i

/** Which bytes of a document of this size the header Range asks for. */
export function parseRange(header: string | undefined, sizeBytes: number): RequestedRange {
  const [, first, last] = ONE_RANGE.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole'
  if (first === '') return lastBytes(Number(last), sizeBytes)
  const start = Number(first)
  const end = last === '' ? sizeBytes - 1 : Number(last)
  if (last !== '' && end < start) return 'whole'
  if (start >= sizeBytes) return 'unsatisfiable'
  return { start, end: Math.min(end, sizeBytes - 1) }
}

function lastBytes(length: number, sizeBytes: number): RequestedRange {
  if (length === 0 || sizeBytes === 0) return 'unsatisfiable'
  return { start: Math.max(0, sizeBytes - length), end: sizeBytes - 1 }
}
