// What all judges have in common: each is a program that we did not write (and, for comparison, our own validator), is
// asked about a folder of files, and answers with its complaints.
import { spawnSync } from 'node:child_process'
import type { SignedFile } from '../signed-file.ts'

export interface Bundle {
  /** Where the files are, under their names. */
  readonly folder: string
  readonly files: readonly SignedFile[]
  /** The trusted certificate, and files that hold it in DER and PEM. */
  readonly root: Buffer
  readonly rootDer: string
  readonly rootPem: string
  /** The moment as of which to judge, and a later one at which B-LTA must still hold. */
  readonly time: Date
  readonly future: Date
}

/** What a judge does not like, by the name of the file; files without complaints may be left out. */
export type Complaints = ReadonlyMap<string, readonly string[]>

export interface Judge {
  readonly name: string
  /** The version of the program, or undefined where it is not installed. */
  findVersion(): string | undefined
  judge(bundle: Bundle): Complaints | Promise<Complaints>
}

export interface Run {
  readonly ok: boolean
  readonly stdout: string
  /** Standard output and error together. */
  readonly text: string
}

// The judges bound the time for each file themselves; a folder of a thousand real documents may take an hour or two.
const TIMEOUT_MS = 4 * 60 * 60 * 1000
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024

/** Runs a program to its end; one that does not exist or does not finish has failed. */
export function run(program: string, args: readonly string[], cwd?: string): Run {
  const options = { encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, cwd } as const
  const { status, stdout, stderr, error } = spawnSync(program, args, options)
  return { ok: status === 0, stdout: stdout ?? '', text: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}` }
}

/** The version that a program prints about itself. */
export function versionOf(program: string, args: readonly string[]): string | undefined {
  const { ok, text } = run(program, args)
  return ok ? (/\d+(\.\d+)+/.exec(text)?.[0] ?? 'unknown') : undefined
}

/** Asks about one file after the other. */
export function judgeEach(bundle: Bundle, complain: (file: SignedFile) => readonly string[]): Complaints {
  return new Map(bundle.files.map((file) => [file.name, complain(file)]))
}
