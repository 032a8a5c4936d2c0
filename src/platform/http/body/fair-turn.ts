// A socket hands over up to two megabytes in one turn of the event loop. With a dozen uploads at once, hashing and
// decoding all of that would hold up every other call for 50 ms and more; and so would many downloads that begin together.

const BUDGET_MS = 2
/** Those that wait for a turn all begin it before any has used up its time, so their number is bounded as well. */
export const PIECES_A_TURN = 12

type Turn = { endsAt: number; pieces: number; next: Promise<void> }

let turn: Turn | undefined

/** Resolves at once while uploads and downloads of this process have used little of the present turn, else in a later one. */
export async function fairTurn(): Promise<void> {
  for (;;) {
    turn ??= beginTurn()
    if (turn.pieces < PIECES_A_TURN && performance.now() < turn.endsAt) {
      turn.pieces++
      return
    }
    await turn.next
  }
}

function beginTurn(): Turn {
  const next = new Promise<void>((resolve) => {
    setImmediate(() => {
      turn = undefined
      resolve()
    })
  })
  return { endsAt: performance.now() + BUDGET_MS, pieces: 0, next }
}
