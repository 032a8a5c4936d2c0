// Files on their way between the person's machine and the service.

const CHUNK = 32 * 1024

/** The bytes as Base64. In pieces: spreading a whole file into one call would be more arguments than a browser takes. */
export async function toBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}
