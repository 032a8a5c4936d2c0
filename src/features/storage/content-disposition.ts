/** `attachment` with the name, in both spellings of RFC 6266: plain for old clients, RFC 8187 for everyone else. */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]/gu, '_').replaceAll(/["\\%]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeExtended(fileName)}`
}

/** RFC 8187 3.2.1 leaves fewer characters bare than encodeURIComponent does. */
function encodeExtended(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed())
  return encoded.replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
