// What recurs is done for many, one after the other: one for whom it fails holds up nobody behind it.

export type Passage<T> = {
  /** What they are called together, and each alone, in the error. */
  what: string
  nameOf: (one: T) => string
  /** Ends it early. */
  signal?: AbortSignal | undefined
}

/** Where it fails for some, the others have their turn all the same, and then it fails. */
export async function goThrough<T>(
  all: readonly T[],
  work: (one: T) => Promise<unknown>,
  { what, nameOf, signal }: Passage<T>,
): Promise<void> {
  const failures: { one: T; error: unknown }[] = []
  for (const one of all) {
    if (signal?.aborted) break
    try {
      await work(one)
    } catch (error) {
      failures.push({ one, error })
    }
  }
  const [first] = failures
  if (first !== undefined) {
    const message = `it failed for ${failures.length} of ${all.length} ${what}, for ${nameOf(first.one)} first`
    throw new Error(message, { cause: first.error })
  }
  signal?.throwIfAborted()
}
