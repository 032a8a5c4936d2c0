// Base64 of a document on its way out, a piece at a time: a document is never held in memory.

export function base64Length(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 3) * 4
}

/** The chunks as Base64 text. Only whole groups of three bytes are encoded before the end, so no padding falls inside. */
export async function* encodeBase64(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % 3)
    rest = bytes.subarray(whole)
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1')
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1')
}

/** Something before and something after the chunks. */
export async function* surround(before: Buffer, chunks: AsyncIterable<Buffer>, after: Buffer): AsyncGenerator<Buffer> {
  yield before
  yield* chunks
  yield after
}
