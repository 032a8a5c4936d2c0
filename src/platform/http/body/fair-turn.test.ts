import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fairTurn, PIECES_A_TURN } from './fair-turn.ts'

const UPLOADS = 100
const PIECES = 5

/** Keeps the processor busy. */
function work(forMs: number): void {
  for (const until = performance.now() + forMs; performance.now() < until;);
}

describe('turns of the event loop', () => {
  for (const [kind, pieceMs] of [
    ['quick', 0],
    ['slow', 1],
  ] as const) {
    test(`many uploads of ${kind} pieces leave room for other work, and all come to their end`, async () => {
      let piecesInTurn = 0
      let most = 0
      let done = 0
      const look = (): void => {
        most = Math.max(most, piecesInTurn)
        piecesInTurn = 0
        if (done < UPLOADS) setImmediate(look)
      }
      setImmediate(look)
      const upload = async () => {
        for (let piece = 0; piece < PIECES; piece += 1) {
          await fairTurn()
          work(pieceMs)
          piecesInTurn += 1
        }
        done += 1
      }
      await Promise.all(Array.from({ length: UPLOADS }, upload))
      assert.equal(done, UPLOADS)
      // Of two turns, because the loop may look after the first pieces of the second.
      assert.ok(most <= 2 * PIECES_A_TURN, `${most} of ${UPLOADS * PIECES} pieces in one turn`)
    })
  }
})
