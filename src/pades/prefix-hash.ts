// The hash of a document so far. A document is hashed once; each signature and timestamp forks that state and adds
// only what it appended, so a B-LTA signature costs no more than a plain one.
import { createHash, type Hash } from 'node:crypto'
import type { HashName } from '#pki/algorithms.ts'
import type { Source } from './source.ts'

export class PrefixHash {
  private readonly states: Map<HashName, Hash>
  private hashedBytes = 0

  private constructor(hashes: readonly HashName[]) {
    this.states = new Map(hashes.map((hash) => [hash, createHash(hash)]))
  }

  /** Hashes the whole document, once for each algorithm, in one pass over its bytes. */
  static async of(source: Source, hashes: readonly HashName[]): Promise<PrefixHash> {
    const prefix = new PrefixHash(hashes)
    for await (const chunk of source.chunks(0, source.size)) prefix.append(chunk)
    return prefix
  }

  /** For whoever has hashed the document already, as when it was read. */
  static continuing(hash: HashName, state: Hash, hashedBytes: number): PrefixHash {
    const prefix = new PrefixHash([])
    prefix.states.set(hash, state)
    prefix.hashedBytes = hashedBytes
    return prefix
  }

  /** Whether all of this was hashed, with each of these. */
  covers(source: Source, hashes: Iterable<HashName>): boolean {
    return this.hashedBytes === source.size && [...hashes].every((hash) => this.states.has(hash))
  }

  /** How many bytes have been hashed. */
  get length(): number {
    return this.hashedBytes
  }

  /** Takes further bytes of the document into the state. */
  append(bytes: Buffer): void {
    for (const state of this.states.values()) state.update(bytes)
    this.hashedBytes += bytes.length
  }

  /** A hash that continues from here, without touching the state. */
  fork(hash: HashName): Hash {
    const state = this.states.get(hash)
    if (state === undefined) throw new Error(`The document was not hashed with ${hash}.`)
    return state.copy()
  }
}
