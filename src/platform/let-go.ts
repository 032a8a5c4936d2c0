/**
 * Gives the memory of bytes back at once; they are empty from here on, so nobody may need them any more. Bytes that wait
 * to be collected count as a full heap: with some dozens of documents V8 would go through all of it again and again.
 * What is only a part of a larger buffer is left as it is, since the rest may be somebody else's.
 */
export function letGo(bytes: Buffer): void {
  for (const memory of ownMemoryOf(bytes)) memory.transfer(0)
}

/** The memory that is these bytes' alone, to be given back or to another thread; none where they share it. */
export function ownMemoryOf({ buffer, length }: Buffer): ArrayBuffer[] {
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === length && !buffer.detached
  return isOwn ? [buffer] : []
}
