// The seam between the crash harness and what it breaks. The harness knows an installation only by this description:
// workload, faults and invariants are the same for one machine with its embedded database and for several servers and
// workers on an outside database and an outside store. Whoever describes another kind writes one function that answers
// with a `Deployment`, and hands it to `runCampaign` in ../campaign.ts; single-machine.ts is the example.
import type { Environment } from '#platform/config/environment.ts'
import type { DatabaseDeaths } from './database-deaths.ts'

/** Parts that can be killed. Of each there may be several processes. */
export const PARTS = ['serve', 'work', 'postgres'] as const
export type Part = (typeof PARTS)[number]

/**
 * A process that ended, and what the supervisor saw of it. `wasUp` is false where it never got so far as to work,
 * and `isOurs` where it ended by itself.
 */
export type Death = { part: Part; how: string; wasUp: boolean; isOurs: boolean }

/** Servers and workers are ended by us in no other way, and by nobody else in this one. */
export const isKill = (how: string) => how === 'SIGKILL'

export type Deployment = {
  /** For the report. */
  readonly name: string
  /** Where the servers are reached; each client keeps to one of them. */
  readonly urls: readonly string[]
  /** Names database, data directory, store and secret key to the programs of the harness, as to a command of ours. */
  readonly environment: Environment
  /** Where documents lie as files; absent where they lie in a bucket, whose bytes are then read through the store. */
  readonly documentsFolder: string | undefined
  /** Starts everything that does not run, and waits until all servers are ready. */
  start(): Promise<void>
  /** The processes of a part at this moment. Those of the database are its postmaster first, then its backends. */
  processesOf(part: Part): number[]
  /** What started the processes; killed with everything else, as by the end of the machine. */
  supervisors(): number[]
  /** Ends every process at once with SIGKILL, and waits until they are gone. */
  killEverything(): Promise<void>
  /** Which of its deaths are ours: told before the database, or a process of it, is ended. */
  readonly databaseDeaths: Pick<DatabaseDeaths, 'willEnd' | 'willShake'>
  /** Which processes have ended so far, and how. */
  deaths(): readonly Death[]
  /** What the processes printed last, for whoever has to find out what happened. */
  lastWords(): string
  /** The disk under it, where the machine lets us have one of our own. */
  readonly disk: Disk | undefined
  /** Where documents lie, where it can fail alone while the database goes on. */
  readonly storage: Storage | undefined
  /** There are several workers, of which one takes over what another has left. */
  readonly sharesWork: true | undefined
  /** Ends everything and removes what it left. */
  remove(): Promise<void>
}

export type Storage = {
  /** Nothing can be stored, until `heal` is called. */
  fail(): void
  heal(): void
}

export type Disk = {
  /** Whatever was not synced is gone. Everything that runs on it must have been killed. */
  cutPower(): void
  /** Leaves no room on it, until `free` is called. */
  fill(): void
  free(): void
}
