import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { AppError } from '#platform/errors.ts'
import { MOVES, SEALING_STATUSES, statusAfter, type SealingStatus } from './sealing-request.ts'

describe('the life of a sealing request', () => {
  test('lets callers make exactly these moves', () => {
    const archival = ['Archiving', 'Archived', 'ArchivingFailed']
    const allowed: Partial<Record<SealingStatus, string[]>> = {
      Draft: ['Open', 'Canceled'],
      Open: ['Canceled'],
      Error: ['Open', 'Canceled'],
      Processed: ['Closed', ...archival],
      Closed: archival,
      Archiving: archival,
      ArchivingFailed: archival,
    }
    for (const from of SEALING_STATUSES) {
      for (const to of SEALING_STATUSES) {
        if (from === to || allowed[from]?.includes(to)) assert.equal(statusAfter(from, to), to)
        else
          assert.throws(
            () => statusAfter(from, to),
            (error) => error instanceof AppError && error.classification === 'InvalidOperation',
            `${from} to ${to}`,
          )
      }
    }
  })

  test('knows the same statuses as the database', () => {
    const migration = readFileSync('db/migrations/000007_sealing_requests.sql', 'utf8')
    const listed = /status in \(([^)]+)\)/
      .exec(migration)![1]!
      .split(',')
      .map((word) => word.trim().slice(1, -1))
    assert.deepEqual(listed.toSorted(), [...SEALING_STATUSES].toSorted())
    assert.deepEqual(Object.keys(MOVES).toSorted(), listed.toSorted())
  })

  test('is drawn in the README as it is', () => {
    const readme = readFileSync('src/features/sealing/README.md', 'utf8').replaceAll(/ +/g, ' ')
    for (const from of SEALING_STATUSES) {
      if (MOVES[from].length === 0) continue
      assert.ok(readme.includes(`| ${from} | ${MOVES[from].join(', ')} |`), from)
    }
  })
})
