const IN_FAILED_TRANSACTION = '25P02'

/** Statements whose answers nobody needs. */
export class Unawaited {
  readonly #answers: Promise<unknown>[] = []

  add(answer: Promise<unknown>): void {
    answer.catch(() => {}) // told by requireSuccess()
    this.#answers.push(answer)
  }

  /** Resolves once all were answered; throws the failure of the first that has one of its own. */
  async requireSuccess(): Promise<void> {
    for (const outcome of await Promise.allSettled(this.#answers)) {
      if (outcome.status === 'rejected' && !isConsequence(outcome.reason)) throw outcome.reason
    }
  }
}

/** True where the server refuses a statement only because one before it has failed. */
function isConsequence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === IN_FAILED_TRANSACTION
}
