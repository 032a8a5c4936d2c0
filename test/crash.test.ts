// kill -9 under load, then start: whatever was answered is there, and whatever was not is there wholly or not at all.
// A longer run: COUNTERSIGN_CRASH_KILLS, COUNTERSIGN_CRASH_CLIENTS; a repeated plan: COUNTERSIGN_CRASH_SEED.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '#platform/ids.ts'
import { findProblems } from './crash/check.ts'
import { endEverything, KILLS, killAndRecover } from './crash/kills.ts'
import { startLoad, type Ask } from './crash/load.ts'
import { Random } from './crash/random.ts'
import { makeInstallation, type Installation } from './installation.ts'

const setting = (name: string, otherwise: number) => Number(process.env[`COUNTERSIGN_CRASH_${name}`] ?? otherwise)
const seed = setting('SEED', Math.floor(Math.random() * 2 ** 31))
const kills = setting('KILLS', KILLS.length)
const clients = setting('CLIENTS', 4)
const LOAD_MS = [400, 1_200] as const

describe('kill -9', () => {
  let installation: Installation
  const asks: Ask[] = []

  before(async () => {
    installation = await makeInstallation()
    await installation.start()
  })
  after(async () => {
    await endEverything(installation.dataDir)
    installation.remove()
  })

  test('of any part, at any moment, loses nothing that was answered', async (t) => {
    const random = new Random(seed)
    const plan = Array.from({ length: kills }, (_, turn) => KILLS[turn] ?? random.pick(KILLS))
    const figures = { calls: 0, unknown: 0, backMs: [] as string[] }
    for (const [turn, kill] of plan.entries()) {
      const load = startLoad(installation.call, { clients, seed: seed + 1000 * turn })
      await sleep(random.between(...LOAD_MS))
      const tookMs = await killAndRecover(installation, kill)
      await sleep(random.between(...LOAD_MS) / 2)
      await load.stop()
      asks.push(...load.asks)
      figures.calls += load.calls
      figures.unknown += load.unknown
      figures.backMs.push(`${kill} ${Math.round(tookMs)}`)
      assert.deepEqual(
        await findProblems(installation, { asks, surprises: load.surprises }),
        [],
        `seed ${seed}, ${kill}`,
      )
    }
    const promised = asks.filter(({ ids }) => ids.size > 0).length
    t.diagnostic(
      `crash: seed ${seed}, ${kills} kills, ${promised} of ${asks.length} requests promised, ${JSON.stringify(figures)}`,
    )
    assert.ok(promised > kills, 'hardly any request was made')
    assert.ok(figures.unknown > 0, 'no call was ever interrupted: the kills missed the load')
  })

  test('would be noticed if it lost a request, changed a document or made one twice', async () => {
    const [one, two] = asks.filter(({ ids, cancel }) => ids.size > 0 && cancel === 'not asked')
    const lost: Ask = { ...one!, reference: 'never made', ids: new Set([newId()]) }
    const forged = asks.map((ask) =>
      ask === one ? { ...one, sha256: '0'.repeat(64) } : ask === two ? { ...two, cancel: 'done' as const } : ask,
    )
    const problems = await findProblems(installation, { asks: [...forged, lost], surprises: [] })
    assert.equal(problems.length, 3, problems.join('\n'))
    assert.match(problems[0]!, /is Open, not Canceled/)
    assert.match(problems[1]!, /never made was promised/)
    assert.match(problems[2]!, /has a document of/)
  })

  test('leaves histories that the command verifies offline', async () => {
    const [id] = asks.find(({ ids, cancel }) => ids.size > 0 && cancel === 'done')!.ids
    const file = (name: string) => join(installation.dataDir, name)
    writeFileSync(file('history.json'), (await installation.call('GET', `/event/signaturerequest/${id}`)).text)
    writeFileSync(file('keys.json'), (await installation.call('GET', '/event/.well-known/jwks.json')).text)
    const args = ['bin/countersign.js', 'history', 'verify', file('history.json'), '--key', file('keys.json')]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
    assert.match(stdout, /^Intact: /)
  })

  test('leaves every event in the log, once and at its place', () => {
    const args = ['bin/countersign.js', 'history', 'audit']
    const env = { ...process.env, COUNTERSIGN_DATA: installation.dataDir }
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
    assert.equal(status, 0, stdout + stderr)
    assert.match(stdout, /^Intact: [1-9]\d+ events are what was logged/)
  })
})
