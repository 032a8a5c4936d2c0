// Bounds on what something costs. Other work on the machine only ever adds to it, processor time included: caches and
// cores are shared. So of several tries the least counts, and a machine that is busy for a moment fails nothing.
const TRIES = 5

/** Measures until the cost is within the bound, a few times at most, and answers with the least. */
export async function leastOf(measure: () => number | Promise<number>, { below }: { below: number }): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < TRIES && !(least < below); tries++) least = Math.min(least, await measure())
  return least
}
