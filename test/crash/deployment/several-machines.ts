// Several servers and workers on one outside database and one outside store, each started again when it dies, as a
// supervisor of the machine would. The store fails now and then.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#platform/db/embedded/embedded-postgres.ts'
import { migrate } from '#platform/db/migrate.ts'
import { startFlakyStore, type Store } from '../../fleet.ts'
import { freePort } from '../../free-port.ts'
import { isReady, startMachine, type Machine } from '../../machines.ts'
import { childrenOf } from '../../processes.ts'
import { until } from '../../until.ts'
import { endNow } from '../signals.ts'
import { DatabaseDeaths } from './database-deaths.ts'
import { isKill, type Death, type Deployment, type Part, type Storage } from './deployment.ts'

const UP = { withinMs: 120_000, everyMs: 50 }
const KEPT_OUTPUT = 400_000

export type SeveralMachinesOptions = {
  environment: Record<string, string>
  servers: number
  workers: number
  /** A real store; otherwise the small one of the tests. */
  store?: Store
}

type Slot = { part: 'serve' | 'work'; port: number; machine: Machine | undefined; restart: Promise<void> }

/** A fresh installation that has not been started. */
export async function severalMachines(options: SeveralMachinesOptions): Promise<Deployment> {
  const parent = mkdtempSync('/tmp/countersign-crash-')
  // Where root starts it, the database runs as another user, who has to get there.
  chmodSync(parent, 0o755)
  const flaky = options.store === undefined ? await startFlakyStore() : undefined
  const deaths: Death[] = []
  const database = new KeptDatabase(join(parent, 'database'), (death) => deaths.push(death))
  await database.start()
  await migrate(database.connection, new Date())
  const environment = {
    COUNTERSIGN_DATA: join(parent, 'data'),
    DATABASE_URL: database.url,
    COUNTERSIGN_SECRET_KEY: 'the secret key of the crash harness is long enough',
    ...(options.store ?? flaky!).environment,
    ...options.environment,
  }
  // Commands of the harness read the same store as the service, with credentials from the environment.
  Object.assign(process.env, pickCredentials(environment))
  const slots: Slot[] = []
  for (const part of [...Array<'serve'>(options.servers).fill('serve'), ...Array<'work'>(options.workers).fill('work')])
    slots.push({ part, port: await freePort(), machine: undefined, restart: Promise.resolve() })
  return describe({
    slots,
    database,
    deaths,
    environment,
    parent,
    storage: flaky && { fail: flaky.fail, heal: flaky.heal },
    stopStore: () => flaky?.stop(),
  })
}

type Parts = {
  slots: Slot[]
  database: KeptDatabase
  deaths: Death[]
  environment: Record<string, string>
  parent: string
  storage: Storage | undefined
  stopStore: () => Promise<void> | undefined
}

function describe({ slots, database, deaths, environment, parent, storage, stopStore }: Parts): Deployment {
  let output = ''
  let isKilled = true
  const urls = slots.filter(({ part }) => part === 'serve').map(({ port }) => `http://127.0.0.1:${port}`)

  async function startSlot(slot: Slot): Promise<void> {
    const own = {
      ...environment,
      COUNTERSIGN_DATA: join(parent, `machine-${slot.port}`),
      COUNTERSIGN_PORT: String(slot.port),
    }
    const machine = await startMachine({ part: slot.part, environment: own }).catch(() => undefined)
    if (machine === undefined) return isKilled ? undefined : startSlot(slot)
    slot.machine = machine
    machine.process.once('exit', (code, signal) => {
      output = (output + machine.output()).slice(-KEPT_OUTPUT)
      slot.machine = undefined
      if (isKilled) return
      const how = signal ?? String(code)
      deaths.push({ part: slot.part, how, wasUp: true, isOurs: isKill(how) })
      slot.restart = startSlot(slot)
    })
    if (!machine.isRunning()) slot.machine = undefined
  }

  const processesOf = (part: Part): number[] => {
    if (part === 'postgres') return database.processes()
    return slots.flatMap((slot) =>
      slot.part === part && slot.machine !== undefined ? [slot.machine.process.pid!] : [],
    )
  }
  const killEverything = async () => {
    isKilled = true
    await Promise.all(slots.map(async (slot) => slot.machine?.end('SIGKILL')))
    await Promise.all(slots.map((slot) => slot.restart))
    await Promise.all(slots.map(async (slot) => slot.machine?.end('SIGKILL')))
    await database.kill()
  }
  return {
    name: `${urls.length} servers and ${slots.length - urls.length} workers on one database and one store`,
    urls,
    environment,
    documentsFolder: undefined,
    async start() {
      isKilled = false
      await database.start()
      await Promise.all(slots.filter(({ machine }) => machine === undefined).map(startSlot))
      await until('all servers to be ready', async () => (await Promise.all(urls.map(isReady))).every(Boolean), UP)
    },
    processesOf,
    supervisors: () => [],
    killEverything,
    databaseDeaths: database.deaths,
    deaths: () => deaths,
    lastWords: () => output,
    disk: undefined,
    storage,
    sharesWork: slots.length - urls.length > 1 ? true : undefined,
    async remove() {
      await killEverything()
      await database.stop()
      await stopStore()
      rmSync(parent, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

function pickCredentials(environment: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('AWS_')))
}

/** A database that is started again when it dies, at the same place, unless it was killed on purpose. */
class KeptDatabase {
  readonly deaths = new DatabaseDeaths()
  readonly #folder: string
  readonly #onDeath: (death: Death) => void
  #postgres: EmbeddedPostgres | undefined
  #isWanted = false
  #restart = Promise.resolve()

  constructor(folder: string, onDeath: (death: Death) => void) {
    this.#folder = folder
    this.#onDeath = onDeath
  }

  get connection() {
    return this.#postgres!.connection
  }
  get url() {
    return this.#postgres!.ownerUrl
  }

  processes(): number[] {
    const pid = this.#postgres?.pid
    return pid === undefined ? [] : [pid, ...childrenOf(pid)]
  }

  async start(): Promise<void> {
    this.#isWanted = true
    if (this.#postgres !== undefined) return
    const postgres = await startEmbeddedPostgres({ dataDir: this.#folder, log: () => {} })
    this.#postgres = postgres
    postgres.onExit(({ code, signal }) => {
      const how = signal ?? String(code)
      if (this.#isWanted) this.#onDeath({ part: 'postgres', how, wasUp: true, isOurs: this.deaths.isOurs() })
      this.#restart = this.#afterDeath(postgres)
    })
  }

  async #afterDeath(postgres: EmbeddedPostgres): Promise<void> {
    await postgres.stop()
    this.#postgres = undefined
    if (this.#isWanted) await this.start()
  }

  async kill(): Promise<void> {
    this.#isWanted = false
    for (const pid of this.processes()) endNow(pid)
    await until('the database to be gone', async () => this.#postgres === undefined)
    this.deaths.startAfresh()
  }

  async stop(): Promise<void> {
    this.#isWanted = false
    await this.#restart
    await this.#postgres?.stop()
  }
}
