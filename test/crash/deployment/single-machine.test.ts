// What the harness reads from the words of the real service.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '../../until.ts'
import { checkDeaths } from '../invariants/index.ts'
import { endNow } from '../signals.ts'
import type { Deployment } from './deployment.ts'
import { singleMachine } from './single-machine.ts'

const WITHIN = { withinMs: 60_000 }

describe('one machine with its embedded database', () => {
  let deployment: Deployment

  before(async () => {
    deployment = (await singleMachine({ environment: {}, onOwnDisk: false })).deployment
    await deployment.start()
  })
  after(() => deployment.remove())

  const postmaster = () => deployment.processesOf('postgres')[0]
  const deathsOfDatabase = () => deployment.deaths().filter(({ part }) => part === 'postgres')

  /** Waits until its death was read and there is another in its place. */
  async function kill(pid: number): Promise<void> {
    const before = deathsOfDatabase().length
    endNow(pid)
    await until('its death to be read', async () => deathsOfDatabase().length > before, WITHIN)
    await until('another in its place', async () => (postmaster() ?? pid) !== pid, WITHIN)
  }

  test('tells a death of the database that nobody knows of from one that was announced', async () => {
    await kill(postmaster()!)
    const expected = ['postgres ended by itself (unexpectedly)']
    assert.deepEqual(checkDeaths(deployment.deaths()).problems, expected)
    const next = postmaster()!
    deployment.databaseDeaths.willEnd(next)
    await kill(next)
    assert.equal(deathsOfDatabase().at(-1)!.isOurs, true)
    assert.deepEqual(checkDeaths(deployment.deaths()).problems, expected)
  })
})
