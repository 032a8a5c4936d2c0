// A disk of our own: ext4 in a file, mounted by loop. Its power can be cut: EXT4_IOC_SHUTDOWN without flushing the
// journal drops everything that was not synced, as a machine does that loses its current.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Disk, Storage } from './deployment.ts'

const SIZE = 1536 * 1024 * 1024
const MOST_TRIES = 100
/** linux/capability.h: the right to mount, as a bit. */
const CAP_SYS_ADMIN = 1n << 21n
const CHUNK = Buffer.alloc(1024 * 1024, 1)
/** linux/ext4: _IOR('X', 125, __u32), and EXT4_GOING_FLAGS_NOLOGFLUSH. Perl is there wherever Debian is. */
const SHUT_DOWN = 'open(my $f, "<", $ARGV[0]) or die $!; my $how = pack("L", 2); ioctl($f, 0x8004587d, $how) or die $!'

export type LoopDisk = Disk & { folder: string; remove(): void }

const PROGRAMS = ['mkfs.ext4', 'mount', 'umount', 'perl']
/** Not everybody's path leads to the programs of an administrator. */
const WITH_PATH = { env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` } }

/** Why there is no disk: this machine does not let us have one, or it went wrong. */
export type NoDisk = { why: string; isMachine: boolean }

/** A fresh disk, or why there is none. */
export function makeLoopDisk(): LoopDisk | NoDisk {
  if (process.platform !== 'linux') return { why: 'needs Linux', isMachine: true }
  if (!mayMount()) return { why: 'needs root and the right to mount a disk of its own', isMachine: true }
  const missing = PROGRAMS.find((program) => spawnSync(program, ['--version'], WITH_PATH).error !== undefined)
  if (missing !== undefined) return { why: `needs ${missing}`, isMachine: true }
  const parent = mkdtempSync('/tmp/countersign-disk-')
  const image = join(parent, 'image')
  const folder = join(parent, 'mounted')
  mkdirSync(folder)
  chmodSync(parent, 0o755)
  closeSync(openSync(image, 'w'))
  truncateSync(image, SIZE)
  const remove = () => {
    spawnSync('umount', ['-l', folder], WITH_PATH)
    rmSync(parent, { recursive: true, force: true })
  }
  try {
    run('mkfs.ext4', '-q', '-F', '-m', '0', image)
    run('mount', '-o', 'loop', image, folder)
    probe(image, folder)
  } catch (error) {
    remove()
    return { why: (error as Error).message, isMachine: false }
  }
  return { folder, remove, ...faultsOf(image, folder) }
}

/** Root has the right, but for one in a container that was not given it. */
function mayMount(): boolean {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  return process.getuid?.() === 0 && (BigInt(`0x${effective}`) & CAP_SYS_ADMIN) !== 0n
}

/** Makes one folder of it read-only, as a disk is made by the kernel when it fails; the rest goes on. */
export function failingFolder(folder: string): Storage {
  return {
    fail: () => run('mount', '-o', 'bind,ro', folder, folder),
    heal: () => run('umount', '-l', folder),
  }
}

function faultsOf(image: string, folder: string): Disk {
  const filler = join(folder, 'filler')
  return {
    cutPower: () => cutPower(image, folder),
    fill: () => fill(filler),
    free: () => rmSync(filler, { force: true }),
  }
}

function cutPower(image: string, folder: string): void {
  run('perl', '-e', SHUT_DOWN, folder)
  unmount(folder)
  run('mount', '-o', 'loop', image, folder)
}

/** Processes that were killed let go of it one after the other. */
function unmount(folder: string): void {
  for (let tries = 1; spawnSync('umount', [folder], WITH_PATH).status !== 0; tries++) {
    if (tries === MOST_TRIES) run('umount', folder)
    spawnSync('sleep', ['0.1'])
  }
}

/** A cut that drops nothing would prove nothing: one file is synced, one is not. */
function probe(image: string, folder: string): void {
  const unsynced = join(folder, 'unsynced')
  const file = openSync(unsynced, 'w')
  writeSync(file, CHUNK)
  closeSync(file)
  cutPower(image, folder)
  const { status } = spawnSync('test', ['-s', unsynced])
  if (status === 0) throw new Error('cutting the power of the disk loses nothing here')
  rmSync(unsynced, { force: true })
}

function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (let chunk = CHUNK; ;) {
      const free = statfsSync(path)
      if (free.bavail === 0) return
      if (free.bavail * free.bsize < chunk.length) chunk = chunk.subarray(0, free.bsize)
      writeSync(file, chunk)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}

function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { ...WITH_PATH, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.trim()}`)
}
