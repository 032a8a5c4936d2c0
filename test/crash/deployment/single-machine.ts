// One machine as a newcomer has it: `bin/start.js` with its supervisor, its embedded database, one server, one worker.
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { freePort } from '../../free-port.ts'
import { childrenOf, processesOf, untilGone } from '../../processes.ts'
import { until } from '../../until.ts'
import { endAll } from '../signals.ts'
import { failingFolder, makeLoopDisk, type LoopDisk, type NoDisk } from './loop-disk.ts'
import { DatabaseDeaths } from './database-deaths.ts'
import { isKill, PARTS, type Death, type Deployment, type Disk, type Part } from './deployment.ts'

const UP_WITHIN_MS = 180_000
const KEPT_OUTPUT = 400_000
const ENDED = /countersign: (?<part>serve|work) (?<pid>\d+) ended \((?<how>[^)]*)\)/
const DATABASE_ENDED = /countersign: the database ended (?<how>unexpectedly|while it was starting)/
/** It is ended by its supervisor then, which is what is promised of one that hangs. */
const DATABASE_SILENT = /countersign: the database has answered nobody/
const UP = /"pid":(?<pid>\d+),.*"msg":"(listening|working)"/

export type SingleMachineOptions = {
  environment: Record<string, string>
  /** Put on a disk of its own, so that its power can be cut and its room can end. */
  onOwnDisk: boolean
  /** A module that every process of ours loads before anything else: how faults are planted. */
  preload?: string
}

/** A fresh installation that has not been started; `noDisk` says why it has no disk of its own although it was to. */
export async function singleMachine(
  options: SingleMachineOptions,
): Promise<{ deployment: Deployment; noDisk: NoDisk | undefined }> {
  const made = options.onOwnDisk ? makeLoopDisk() : undefined
  const disk = made === undefined || 'why' in made ? undefined : made
  const parent = disk?.folder ?? mkdtempSync('/tmp/countersign-crash-')
  // Where root starts it, the database runs as another user, who has to get there.
  chmodSync(parent, 0o755)
  const deployment = describe(options, { parent, disk, port: await freePort() })
  return { deployment, noDisk: made !== undefined && 'why' in made ? made : undefined }
}

type Place = { parent: string; disk: LoopDisk | undefined; port: number }

function describe({ environment, preload }: SingleMachineOptions, { parent, disk, port }: Place): Deployment {
  const dataDir = join(parent, 'data')
  const documentsFolder = join(dataDir, 'documents')
  const url = `http://127.0.0.1:${port}`
  const own = {
    COUNTERSIGN_DATA: dataDir,
    COUNTERSIGN_PORT: String(port),
    COUNTERSIGN_LOG_LEVEL: 'info',
    COUNTERSIGN_RATE_LIMIT: '100000000',
    COUNTERSIGN_INVITATIONS_PER_DAY: '1000000000',
    ...environment,
  }
  const watch = new Watch()
  let child: ChildProcess | undefined
  const processes = (part: Part) => processesOf(dataDir).filter(({ command }) => isOf(part, command))

  const startOnce = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      await untilGone(dataDir)
      watch.database.startAfresh()
      child = launch({ ...process.env, ...own }, preload)
      watch.follow(child)
    }
    await until('the service to be ready', () => isReady(url, child!), { withinMs: UP_WITHIN_MS, everyMs: 20 }).catch(
      (error: unknown) => {
        throw new Error(`${(error as Error).message}\n${watch.output.slice(-3_000)}`)
      },
    )
  }
  const killEverything = async () => {
    watch.database.expectAny()
    await endAll(dataDir)
    child = undefined
    watch.forget()
  }
  return {
    name: 'one machine with its embedded database',
    urls: [url],
    environment: own,
    documentsFolder,
    start: startOnce,
    processesOf: (part) => {
      const found = processes(part).map(({ pid }) => pid)
      return part === 'postgres' ? [...found, ...found.flatMap(childrenOf)] : found
    },
    supervisors: () =>
      processesOf(dataDir)
        .filter(({ command }) => !PARTS.some((part) => isOf(part, command)))
        .map(({ pid }) => pid),
    killEverything,
    databaseDeaths: watch.database,
    deaths: () => watch.deaths,
    lastWords: () => watch.output,
    disk: disk && { ...disk, ...fullnessOf(watch.database, disk) },
    storage: disk && failingFolder(documentsFolder),
    sharesWork: undefined,
    async remove() {
      await killEverything()
      disk?.remove()
      rmSync(parent, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

/** A database that has no room may end by itself. */
function fullnessOf(database: DatabaseDeaths, disk: LoopDisk): Pick<Disk, 'fill' | 'free'> {
  return {
    fill() {
      database.expectAny()
      disk.fill()
    },
    free() {
      disk.free()
      database.expectNoMore()
    },
  }
}

function isOf(part: Part, command: string): boolean {
  return part === 'postgres' ? /\bpostgres\b.* -D/.test(command) : command.includes(`/${part}.ts`)
}

function launch(environment: NodeJS.ProcessEnv, preload: string | undefined): ChildProcess {
  const options = preload === undefined ? [] : ['--import', pathToFileURL(preload).href]
  const env = preload === undefined ? environment : { ...environment, NODE_OPTIONS: options.join(' ') }
  return spawn(process.execPath, ['bin/start.js'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function isReady(url: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode} instead of starting`)
  return fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

/** Reads what the processes print: when each part was up, and how it ended. */
class Watch {
  readonly deaths: Death[] = []
  readonly database = new DatabaseDeaths()
  /** By number: what is printed and what is complained about come by two ways, in no order. */
  readonly #up = new Set<string>()
  output = ''

  follow(child: ChildProcess): void {
    for (const stream of [child.stdout!, child.stderr!]) {
      let rest = ''
      stream.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n')
        rest = lines.pop()!
        for (const line of lines) this.#read(line)
      })
    }
  }

  /** Everything was killed on purpose. */
  forget(): void {
    this.#up.clear()
  }

  #read(line: string): void {
    const isRequest = line.startsWith('{"level":30') && line.includes('"route":')
    if (!isRequest) this.output = `${this.output}${line}\n`.slice(-KEPT_OUTPUT)
    const up = UP.exec(line)?.groups
    if (up) this.#up.add(up['pid']!)
    const ended = ENDED.exec(line)?.groups
    if (ended) this.#noteEnd(ended['part'] as Part, ended['how']!, ended['pid']!)
    if (DATABASE_SILENT.test(line)) this.database.willShake()
    const how = DATABASE_ENDED.exec(line)?.groups?.['how']
    if (how === undefined) return
    const isOurs = this.database.isOurs()
    this.deaths.push({ part: 'postgres', how, wasUp: how === 'unexpectedly', isOurs })
  }

  #noteEnd(part: Part, how: string, pid: string): void {
    this.deaths.push({ part, how, wasUp: this.#up.has(pid), isOurs: isKill(how) })
  }
}
