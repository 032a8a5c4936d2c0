// Proofs of existence (EN 319 102-1, 5.6.3): a document timestamp that holds proves that everything in the revision that
// it covers existed at its time, even after the certificates in there have expired.

export class Proofs {
  private readonly known: { readonly revision: number; readonly time: Date }[] = []

  /** A timestamp that covers the document up to this revision holds. */
  add(revision: number, time: Date): void {
    this.known.push({ revision, time })
  }

  /** The earliest time at which what stands in a revision is proven to have existed. */
  findTime(revision: number): Date | undefined {
    const times = this.known.filter((proof) => proof.revision >= revision).map(({ time }) => time.getTime())
    return times.length === 0 ? undefined : new Date(Math.min(...times))
  }
}
