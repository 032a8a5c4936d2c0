/**
 * Gives the memory of bytes back at once; they are empty from here on, so nobody may need them any more. Bytes that wait
 * to be collected count as a full heap: with some dozens of documents V8 would go through all of it again and again.
 * What is only a part of a larger buffer is left as it is, since the rest may be somebody else's.
 */
export function letGo(bytes: Buffer): void {
  const { buffer } = bytes
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length
  if (isWhole && !buffer.detached) buffer.transfer(0)
}
