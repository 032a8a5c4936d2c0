// Looks for secrets in texts and bytes, in every spelling in which something of ours might write them down.

/** Texts and bytes, each by a name for whoever reads a finding. */
export type Secrets = ReadonlyMap<string, string | Buffer>

type Spelling = { name: string; bytes: Buffer }

function spellingsOf([name, secret]: [string, string | Buffer]): Spelling[] {
  const plain = Buffer.from(secret)
  const texts = typeof secret === 'string' ? [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)] : []
  const written = [...texts, plain.toString('hex')]
  // Base64 begins anew every three bytes, so that a text inside another has three beginnings.
  const encoded = [0, 1, 2].map((at) => plain.subarray(at, at + 3 * Math.floor((plain.length - at) / 3)))
  const base64 = encoded.flatMap((part) => [part.toString('base64'), part.toString('base64url')])
  const spelled = [...new Set([...written, ...base64])].map((text) => Buffer.from(text))
  return [plain, ...spelled].map((bytes) => ({ name, bytes }))
}

/** The names of the secrets that the bytes hold. */
export function makeFinder(secrets: Secrets): (place: string, bytes: Buffer | string) => string[] {
  const spellings = [...secrets].flatMap(spellingsOf)
  return (place, given) => {
    const bytes = Buffer.from(given)
    const found = spellings.filter((spelling) => bytes.includes(spelling.bytes))
    return [...new Set(found.map(({ name }) => `${place} tells ${name}`))]
  }
}
