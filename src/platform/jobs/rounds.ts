/** Work that is done in rounds, one at a time: being woken during a round means one more afterwards. */
export type Rounds = {
  wake(): void
  /** Starts no more rounds and waits for the one that runs. */
  stop(): Promise<void>
}

export function makeRounds(run: () => Promise<void>, onError: (error: unknown) => void): Rounds {
  let round: Promise<void> | undefined
  let isWanted = false
  let isStopped = false
  const wake = () => {
    if (isStopped) return
    if (round) {
      isWanted = true
      return
    }
    round = run()
      .catch(onError)
      .finally(() => {
        round = undefined
        if (!isWanted) return
        isWanted = false
        wake()
      })
  }
  return {
    wake,
    async stop() {
      isStopped = true
      await round
    },
  }
}
