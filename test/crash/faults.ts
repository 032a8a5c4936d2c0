// What is done to the installation. A fault ends healed, except that what was killed comes back in its own time.
import { setTimeout as sleep } from 'node:timers/promises'
import { connectionsAmong } from '../processes.ts'
import { PARTS, type Deployment, type Part } from './deployment/deployment.ts'
import { endNow, signal } from './signals.ts'
import type { Surroundings } from './surroundings.ts'
import type { Random } from './workload/random.ts'

export type Scene = { deployment: Deployment; surroundings: Surroundings; random: Random }

export type Fault = {
  name: string
  /** How often it is chosen, beside the others. */
  weight: number
  /** The parts that have a new process afterwards. */
  renews?: readonly Part[]
  /** Nothing is left of the supervisor: a person has to start the service again. */
  endsEverything?: true
  /** What not every installation has. */
  needs?: 'disk' | 'storage' | 'sharesWork'
  /** How many deaths of the database it costs; the supervisor gives up on one that keeps dying. */
  databaseDeaths?: number
  /** Answers with how many processes it has killed. */
  run(scene: Scene): Promise<number>
}

const AWAY_MS = [200, 900] as const
/** Shorter than a lease, so that the paused process is still the owner when it goes on. */
const PAUSE_MS = [100, 800] as const
/** Longer than a lease: what the paused worker had begun is another's when it goes on. */
const LONG_PAUSE_MS = 12_000
/** Of those that there are, idle or in the middle of a transaction. */
const ENDED_CONNECTIONS = 0.7

function kill(...parts: Part[]) {
  return async ({ deployment }: Scene) => {
    if (parts.includes('postgres')) announceEnd(deployment)
    const pids = parts.flatMap((part) => firstOf(deployment, part))
    for (const pid of pids) endNow(pid)
    return pids.length
  }
}

/** Whatever runs at this moment, backends of the database not counted. */
async function killEverything({ deployment }: Scene): Promise<number> {
  const pids = PARTS.flatMap((part) => firstOf(deployment, part))
  await deployment.killEverything()
  return pids.length
}

/** The postmaster alone, or all of a part's processes: backends of a dead postmaster end by themselves. */
function firstOf(deployment: Deployment, part: Part): number[] {
  return part === 'postgres' ? deployment.processesOf(part).slice(0, 1) : deployment.processesOf(part)
}

function announceEnd(deployment: Deployment): void {
  for (const pid of firstOf(deployment, 'postgres')) deployment.databaseDeaths.willEnd(pid)
}

function pause(part: Part) {
  return async ({ deployment, random }: Scene) => {
    const pids = deployment.processesOf(part)
    for (const pid of pids) signal(pid, 'SIGSTOP')
    await sleep(random.between(...PAUSE_MS))
    for (const pid of pids) signal(pid, 'SIGCONT')
    return 0
  }
}

async function whileAway(random: Random, leave: () => void, comeBack: () => void): Promise<number> {
  leave()
  try {
    await sleep(random.between(...AWAY_MS))
  } finally {
    comeBack()
  }
  return 0
}

export const FAULTS: readonly Fault[] = [
  { name: 'kill the server', weight: 5, renews: ['serve'], run: kill('serve') },
  { name: 'kill the worker', weight: 6, renews: ['work'], run: kill('work') },
  { name: 'kill the database', weight: 3, databaseDeaths: 1, renews: ['postgres'], run: kill('postgres') },
  { name: 'kill server and worker', weight: 2, renews: ['serve', 'work'], run: kill('serve', 'work') },
  {
    name: 'kill worker and database',
    weight: 2,
    databaseDeaths: 1,
    renews: ['work', 'postgres'],
    run: kill('work', 'postgres'),
  },
  {
    name: 'kill a backend of the database',
    weight: 1,
    databaseDeaths: 1,
    async run({ deployment, random }) {
      const [, ...backends] = deployment.processesOf('postgres')
      if (backends.length === 0) return 0
      deployment.databaseDeaths.willShake()
      endNow(random.pick(backends))
      return 1
    },
  },
  {
    name: 'end connections of the database',
    weight: 1,
    async run({ deployment, random }) {
      const connections = connectionsAmong(deployment.processesOf('postgres'))
      for (const pid of connections) if (random.next() < ENDED_CONNECTIONS) signal(pid, 'SIGTERM')
      return 0
    },
  },
  {
    name: 'restart the database',
    weight: 1,
    databaseDeaths: 1,
    renews: ['postgres'],
    async run({ deployment }) {
      announceEnd(deployment)
      for (const pid of firstOf(deployment, 'postgres')) signal(pid, 'SIGINT')
      return 0
    },
  },
  { name: 'pause the server', weight: 1, run: pause('serve') },
  { name: 'pause the worker', weight: 1, run: pause('work') },
  {
    name: 'pause one of several workers for longer than its lease',
    weight: 1,
    needs: 'sharesWork',
    async run({ deployment, random }) {
      const pids = deployment.processesOf('work')
      if (pids.length === 0) return 0
      const pid = random.pick(pids)
      signal(pid, 'SIGSTOP')
      await sleep(LONG_PAUSE_MS)
      signal(pid, 'SIGCONT')
      return 0
    },
  },
  { name: 'pause the database', weight: 1, run: pause('postgres') },
  {
    name: 'the timestamp authority fails',
    weight: 1,
    run: ({ surroundings: { timestamps }, random }) =>
      whileAway(
        random,
        () => (timestamps.fault = random.pick(['unavailable', 'html', 'wrong-nonce', 'broken-signature'] as const)),
        () => (timestamps.fault = undefined),
      ),
  },
  {
    name: 'the mail server fails',
    weight: 1,
    run: ({ surroundings: { mail }, random }) =>
      whileAway(
        random,
        () =>
          mail.moods.push(
            ...Array.from({ length: 5 }, () => random.pick([{ data: 451 }, { recipient: 450 }, 'reset'] as const)),
          ),
        () => (mail.moods.length = 0),
      ),
  },
  {
    name: 'the receivers of webhooks fail',
    weight: 1,
    run: ({ surroundings: { receiver }, random }) =>
      whileAway(
        random,
        () =>
          receiver.answer((request, response) =>
            random.next() < 0.5 ? request.socket.destroy() : response.writeHead(500).end(),
          ),
        () => receiver.answer(200),
      ),
  },
  {
    name: 'the storage of documents fails',
    weight: 1,
    needs: 'storage',
    run: ({ deployment: { storage }, random }) =>
      whileAway(
        random,
        () => storage!.fail(),
        () => storage!.heal(),
      ),
  },
  {
    name: 'the disk is full for a while',
    weight: 1,
    needs: 'disk',
    // Each start of a database that has no room is another death.
    databaseDeaths: 3,
    run: ({ deployment: { disk }, random }) =>
      whileAway(
        random,
        () => disk!.fill(),
        () => disk!.free(),
      ),
  },
  {
    name: 'the disk is full',
    weight: 1,
    needs: 'disk',
    endsEverything: true,
    async run(scene) {
      const { disk } = scene.deployment
      await whileAway(
        scene.random,
        () => disk!.fill(),
        () => disk!.free(),
      )
      // The database may have stopped for good: a person frees the disk and starts the service.
      return killEverything(scene)
    },
  },
  {
    name: 'the power is cut',
    weight: 2,
    needs: 'disk',
    endsEverything: true,
    async run(scene) {
      const killed = await killEverything(scene)
      scene.deployment.disk!.cutPower()
      return killed
    },
  },
  {
    name: 'kill everything at once',
    weight: 4,
    endsEverything: true,
    run: killEverything,
  },
]
