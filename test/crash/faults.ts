// What is done to the installation. A fault ends healed, except that what was killed comes back in its own time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment, Part } from './deployment/deployment.ts'
import { endNow, signal } from './signals.ts'
import type { Surroundings } from './surroundings.ts'
import type { Random } from './workload/random.ts'

export type Scene = { deployment: Deployment; surroundings: Surroundings; random: Random }

export type Fault = {
  name: string
  /** How often it is chosen, beside the others. */
  weight: number
  /** How many processes it kills. */
  kills: number
  /** The parts that have a new process afterwards. */
  renews?: readonly Part[]
  /** Nothing is left of the supervisor: a person has to start the service again. */
  endsEverything?: true
  /** Needs a disk of its own. */
  needsDisk?: true
  /** How many deaths of the database it costs; the supervisor gives up on one that keeps dying. */
  databaseDeaths?: number
  run(scene: Scene): Promise<void>
}

const AWAY_MS = [200, 900] as const
/** Shorter than a lease, so that the paused process is still the owner when it goes on. */
const PAUSE_MS = [100, 800] as const

function kill(...parts: Part[]) {
  return async ({ deployment }: Scene) => {
    // The postmaster alone, or all of a part's processes: backends of a dead postmaster end by themselves.
    for (const pid of parts.flatMap((part) => firstOf(deployment, part))) endNow(pid)
  }
}

function firstOf(deployment: Deployment, part: Part): number[] {
  return part === 'postgres' ? deployment.processesOf(part).slice(0, 1) : deployment.processesOf(part)
}

function pause(part: Part) {
  return async ({ deployment, random }: Scene) => {
    const pids = deployment.processesOf(part)
    for (const pid of pids) signal(pid, 'SIGSTOP')
    await sleep(random.between(...PAUSE_MS))
    for (const pid of pids) signal(pid, 'SIGCONT')
  }
}

async function whileAway(random: Random, leave: () => void, comeBack: () => void): Promise<void> {
  leave()
  try {
    await sleep(random.between(...AWAY_MS))
  } finally {
    comeBack()
  }
}

export const FAULTS: readonly Fault[] = [
  { name: 'kill the server', weight: 5, kills: 1, renews: ['serve'], run: kill('serve') },
  { name: 'kill the worker', weight: 6, kills: 1, renews: ['work'], run: kill('work') },
  { name: 'kill the database', weight: 3, kills: 1, databaseDeaths: 1, renews: ['postgres'], run: kill('postgres') },
  { name: 'kill server and worker', weight: 2, kills: 2, renews: ['serve', 'work'], run: kill('serve', 'work') },
  {
    name: 'kill worker and database',
    weight: 2,
    kills: 2,
    databaseDeaths: 1,
    renews: ['work', 'postgres'],
    run: kill('work', 'postgres'),
  },
  {
    name: 'kill a backend of the database',
    weight: 1,
    kills: 1,
    async run({ deployment, random }) {
      const [, ...backends] = deployment.processesOf('postgres')
      if (backends.length > 0) endNow(random.pick(backends))
    },
  },
  {
    name: 'restart the database',
    weight: 1,
    kills: 0,
    databaseDeaths: 1,
    renews: ['postgres'],
    async run({ deployment }) {
      for (const pid of firstOf(deployment, 'postgres')) signal(pid, 'SIGINT')
    },
  },
  { name: 'pause the server', weight: 1, kills: 0, run: pause('serve') },
  { name: 'pause the worker', weight: 1, kills: 0, run: pause('work') },
  { name: 'pause the database', weight: 1, kills: 0, run: pause('postgres') },
  {
    name: 'the timestamp authority fails',
    weight: 1,
    kills: 0,
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
    kills: 0,
    async run({ surroundings: { mail }, random }) {
      mail.moods.push(
        ...Array.from({ length: 5 }, () => random.pick([{ data: 451 }, { recipient: 450 }, 'reset'] as const)),
      )
      await sleep(random.between(...AWAY_MS))
      mail.moods.length = 0
    },
  },
  {
    name: 'the receivers of webhooks fail',
    weight: 1,
    kills: 0,
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
    name: 'the disk is full',
    weight: 0.5,
    kills: 0,
    needsDisk: true,
    endsEverything: true,
    async run({ deployment, random }) {
      deployment.disk!.fill()
      await sleep(random.between(...AWAY_MS))
      deployment.disk!.free()
      // The database may have stopped for good: a person frees the disk and starts the service.
      await deployment.killEverything()
    },
  },
  {
    name: 'the power is cut',
    weight: 2,
    kills: 3,
    needsDisk: true,
    endsEverything: true,
    async run({ deployment }) {
      await deployment.killEverything()
      deployment.disk!.cutPower()
    },
  },
  {
    name: 'kill everything at once',
    weight: 4,
    kills: 3,
    endsEverything: true,
    run: ({ deployment }) => deployment.killEverything(),
  },
]
