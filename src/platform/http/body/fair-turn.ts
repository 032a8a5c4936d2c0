// A socket hands over up to two megabytes in one turn of the event loop. With a dozen uploads at once, hashing and
// decoding all of that would hold up every other call for 50 ms and more.

const BUDGET_MS = 2

let turn: { endsAt: number; next: Promise<void> } | undefined

/** Resolves at once while the uploads of this process have used little of the present turn, else in a later one. */
export async function fairTurn(): Promise<void> {
  for (;;) {
    turn ??= beginTurn()
    if (performance.now() < turn.endsAt) return
    await turn.next
  }
}

function beginTurn(): { endsAt: number; next: Promise<void> } {
  const next = new Promise<void>((resolve) => {
    setImmediate(() => {
      turn = undefined
      resolve()
    })
  })
  return { endsAt: performance.now() + BUDGET_MS, next }
}
