// The words by which a request is found. Stored and searched words go through the same door, so they meet.

/** A hundred people have several names and an address each. */
const MOST_WORDS = 1_000
const LONGEST_WORD = 64

/** The words of a text as they are stored: lower case, without accents, each once. */
export function wordsOf(text: string): string[] {
  const plain = text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  // Cut by code points, so that no half of a surrogate pair is stored.
  return [...new Set(words.map((word) => [...word].slice(0, LONGEST_WORD).join('')))]
}

type Searchable = {
  subject: string
  externalReference: string | null
  signatories: readonly { firstName: string | null; lastName: string | null; email: string | null }[]
}

/** The words that a request is stored under. The subject and the reference come first: a long list is cut. */
export function wordsOfRequest({ subject, externalReference, signatories }: Searchable): string[] {
  const people = signatories.flatMap(({ firstName, lastName, email }) => [firstName, lastName, email])
  const texts = [externalReference, subject, ...people].filter((text) => text !== null)
  return [...new Set(texts.flatMap(wordsOf))].slice(0, MOST_WORDS)
}
