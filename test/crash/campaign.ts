// A campaign: installations one after the other, each of which lives several lives. In every life clients of several
// tenants work while one fault after the other strikes; a life ends with the death of everything at once, the next
// begins with a start, and in between everything is held against the invariants.
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../until.ts'
import { PARTS, type Deployment } from './deployment/deployment.ts'
import type { NoDisk } from './deployment/loop-disk.ts'
import { FAULTS, type Fault, type Scene } from './faults.ts'
import { Figures } from './figures.ts'
import { checkDeaths, checkWorld, problemsOf, type Checked } from './invariants/index.ts'
import { openLedger } from './ledger.ts'
import { comeToRest } from './rest.ts'
import type { Surroundings } from './surroundings.ts'
import { makeTenants } from './tenants.ts'
import { Client } from './workload/client.ts'
import { startLoad } from './workload/load.ts'
import { Random } from './workload/random.ts'
import { WorldReader, type World } from './world.ts'

export type Describe = (surroundings: Surroundings) => Promise<{ deployment: Deployment; noDisk?: NoDisk | undefined }>

/** What does not strike without a disk of our own. */
export const NEEDS_DISK = 'power cuts, full disks and failing storage'

export type StrikesAmid = 'deliveries' | 'e-mails'

export type CampaignOptions = {
  seed: number
  describe: Describe
  startSurroundings: () => Promise<Surroundings>
  /** The campaign ends with the installation in which one of these is reached. */
  kills: number
  minutes: number
  livesEach: number
  faultsEach: number
  clients: number
  tenants: number
  /** Only these, where they are named. */
  faults?: readonly string[]
  /** Each fault strikes right behind one of these, of which there are few between two faults on a slow machine. */
  strikesAmid?: StrikesAmid
  /** Told what goes on. */
  say?: (line: string) => void
  /** Given the world after each installation's last check. */
  onWorld?: (world: World) => void
}

/** A database that dies more often than this within a minute is given up by its supervisor. */
const MOST_DATABASE_DEATHS = 4
/** Long enough for a machine that has much else to do; how long it took is in the figures. */
const BACK_WITHIN_MS = 240_000
/** Where none comes for so long, the fault strikes all the same. */
const NEXT_WITHIN_MS = 15_000
/** After so many of the faults the next one strikes while the service is still coming back. */
const HURRIED = 0.4

export type Result = { figures: Figures; problems: string[] }

/** Runs until enough was killed, time is over, or something is broken. */
export async function runCampaign(options: CampaignOptions): Promise<Result> {
  const figures = new Figures()
  const end = performance.now() + options.minutes * 60_000
  for (let number = 0; ; number++) {
    const problems = await runInstallation(options, { figures, end, seed: options.seed + number * 1_000_003 })
    figures.installations++
    const isOver = figures.kills >= options.kills || performance.now() >= end
    if (problems.length > 0 || isOver) return { figures, problems }
  }
}

type Run = { figures: Figures; end: number; seed: number }

async function runInstallation(options: CampaignOptions, { figures, end, seed }: Run): Promise<string[]> {
  const random = new Random(seed)
  const surroundings = await options.startSurroundings()
  const { deployment, noDisk } = await options.describe(surroundings)
  if (noDisk !== undefined) figures.skip({ what: NEEDS_DISK, ...noDisk })
  try {
    await deployment.start()
    const tenants = await makeTenants(deployment.environment, options.tenants)
    const ledger = openLedger()
    const clients = makeClients(options, { deployment, surroundings, tenants, ledger, random })
    const reader = new WorldReader({ deployment, surroundings, tenants, ledger })
    const scene = { deployment, surroundings, random }
    for (let life = 1; life <= options.livesEach; life++) {
      const startedAt = performance.now()
      const failure = await live(options, { scene, clients, figures }).then(
        () => undefined,
        (error: unknown) => (error as Error).message,
      )
      figures.livedMs += performance.now() - startedAt
      const isLast = life === options.livesEach || performance.now() >= end || figures.kills >= options.kills
      const checkedAt = performance.now()
      if (isLast && failure === undefined) await comeToRest(deployment)
      const checked = await check(reader, { isAtRest: isLast, failure, deaths: deployment.deaths() }, options)
      figures.note(checked)
      figures.checkedMs += performance.now() - checkedAt
      const problems = problemsOf(checked)
      options.say?.(`${figures.line()}${problems.length > 0 ? `, ${problems.length} problems` : ''}`)
      if (isLast || problems.length > 0) {
        figures.noteCalls(ledger.calls)
        if (problems.length > 0) options.say?.(`what it printed lies in ${keepOutput(deployment, seed)}`)
        return problems
      }
    }
    return []
  } finally {
    await deployment.remove()
    await surroundings.stop()
  }
}

const COMES_BACK = 'comes-back'

type Outcome = { isAtRest: boolean; failure: string | undefined; deaths: World['deaths'] }

/** Where the service did not come back there is nothing to look at but how its processes ended. */
async function check(
  reader: WorldReader,
  { isAtRest, failure, deaths }: Outcome,
  { onWorld }: CampaignOptions,
): Promise<Checked[]> {
  if (failure !== undefined) return [{ name: COMES_BACK, checked: 1, problems: [failure] }, checkDeaths(deaths)]
  const world = await reader.read({ isAtRest })
  onWorld?.(world)
  return [{ name: COMES_BACK, checked: 1, problems: [] }, ...checkWorld(world)]
}

function keepOutput(deployment: Deployment, seed: number): string {
  const file = join(tmpdir(), `countersign-crash-${seed}.log`)
  writeFileSync(file, deployment.lastWords())
  return file
}

function makeClients(
  { clients }: CampaignOptions,
  { deployment, surroundings, tenants, ledger, random }: Scene & Pick<World, 'tenants' | 'ledger'>,
): Client[] {
  return Array.from({ length: clients }, (_, index) => {
    const tenant = tenants[index % tenants.length]!
    return new Client({
      tenant,
      everybody: tenants,
      url: deployment.urls[index % deployment.urls.length]!,
      name: `c${index}`,
      random: new Random(Math.floor(random.next() * 2 ** 31)),
      ledger,
      mails: surroundings.mail.received,
      hookUrl: surroundings.receiver.url,
    })
  })
}

type Life = { scene: Scene; clients: readonly Client[]; figures: Figures }

/** One fault after the other under load, the last of which ends everything; then the service is started again. */
async function live(options: CampaignOptions, { scene, clients, figures }: Life): Promise<void> {
  const { faultsEach, faults, strikesAmid } = options
  const { random, deployment, surroundings } = scene
  const plan = planLife(random, { count: faultsEach, has: deployment, only: faults })
  const stopLoad = startLoad(clients)
  try {
    await sleep(random.between(200, 700))
    for (const fault of plan) {
      if (strikesAmid !== undefined) await untilNext(strikesAmid, surroundings)
      await strike(scene, fault, figures)
      await sleep(random.between(100, 600))
    }
  } finally {
    await stopLoad()
  }
}

async function untilNext(what: StrikesAmid, { receiver, mail }: Surroundings): Promise<void> {
  const { received } = what === 'deliveries' ? receiver : mail
  const before = received.length
  await until('the next one', async () => received.length > before, { withinMs: NEXT_WITHIN_MS }).catch(() => {})
}

async function strike(scene: Scene, fault: Fault, figures: Figures): Promise<void> {
  const { deployment } = scene
  const before = PARTS.map((part) => deployment.processesOf(part)[0])
  const kills = await fault.run(scene)
  const startedAt = performance.now()
  const isHurried = !fault.endsEverything && scene.random.next() < HURRIED
  if (fault.endsEverything) await deployment.start()
  else if (!isHurried) await untilBack(deployment, before, fault)
  figures.noteFault(fault, { kills, backMs: isHurried ? undefined : performance.now() - startedAt })
}

/** All parts run, those that were killed anew, and every server says that it is ready. */
async function untilBack(deployment: Deployment, before: (number | undefined)[], fault: Fault): Promise<void> {
  // An old process may answer for a moment after its end has begun: only new ones count.
  const isNew = (pid: number | undefined, index: number) =>
    pid !== undefined && !(fault.renews?.includes(PARTS[index]!) && pid === before[index])
  await until(
    `the end of "${fault.name}"`,
    async () => PARTS.map((part) => deployment.processesOf(part)[0]).every(isNew) && (await areReady(deployment)),
    { withinMs: BACK_WITHIN_MS, everyMs: 15 },
  ).catch((error: unknown) => {
    const now = PARTS.map((part) => `${part} ${deployment.processesOf(part).join()}`)
    throw new Error(`${(error as Error).message}: ${now.join('; ')}\n${deployment.lastWords()}`)
  })
}

async function areReady({ urls }: Deployment): Promise<boolean> {
  const ready = await Promise.all(
    urls.map((url) =>
      fetch(`${url}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    ),
  )
  return ready.every(Boolean)
}

type Planning = {
  count: number
  has: Pick<Deployment, 'disk' | 'storage' | 'sharesWork'>
  only: readonly string[] | undefined
}

/** The faults of one life, chosen by their weights; the last ends everything. */
export function planLife(random: Random, { count, has, only }: Planning): Fault[] {
  const isPossible = ({ needs, name }: Fault) =>
    (needs === undefined || has[needs] !== undefined) && (only?.includes(name) ?? true)
  const possible = FAULTS.filter(isPossible)
  const ends = possible.filter(({ endsEverything }) => endsEverything)
  const others = possible.filter(({ endsEverything }) => !endsEverything)
  const plan: Fault[] = []
  let deaths = 0
  while (plan.length < count - 1) {
    const bearable = others.filter(({ databaseDeaths = 0 }) => deaths + databaseDeaths <= MOST_DATABASE_DEATHS)
    if (bearable.length === 0) break
    const fault = choose(random, bearable)
    deaths += fault.databaseDeaths ?? 0
    plan.push(fault)
  }
  return ends.length === 0 ? plan : [...plan, choose(random, ends)]
}

function choose(random: Random, faults: readonly Fault[]): Fault {
  let left = random.next() * faults.reduce((sum, { weight }) => sum + weight, 0)
  return faults.find(({ weight }) => (left -= weight) < 0) ?? faults[0]!
}
