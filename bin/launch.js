// Runs an entry of ours on a Node that understands it. The machine's own Node may be an older one, which then only
// starts the one that npm installed with us. So this folder is plain JavaScript that Node 18 can read.
import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, lstatSync, mkdirSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { constants as osConstants, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// The oldest Node with everything that we use: it runs TypeScript as it stands, and makes ids of version 7.
const OLDEST_NODE = [24, 16]
const FORWARDED_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP']
const RELAUNCHED = 'COUNTERSIGN_RELAUNCHED'

const require = nodeModule.createRequire(import.meta.url)

/**
 * Imports the entry here if this Node is new enough, else runs the same command again on the pinned one.
 * @param {URL} entry the file
 * @param {{ version?: string, dropArguments?: number }} [options] the version to judge by; how many of the first
 *   arguments the entry should not see, as they only named it
 */
export async function launch(entry, { version = process.versions.node, dropArguments = 0 } = {}) {
  const isRelaunched = process.env[RELAUNCHED] === '1'
  delete process.env[RELAUNCHED]
  if (isRelaunched) stopWithLauncher()
  if (isRelaunched || isNewEnough(version)) {
    enableCompileCache()
    process.argv.splice(2, dropArguments)
    await import(entry.href)
    return
  }
  const node = findPinnedNode(process.platform, process.arch)
  if (node === undefined) refuse(version)
  else relaunch(node)
}

/**
 * The entry of that name: a checkout has the sources, a package only what was built from them, because Node runs no
 * TypeScript below node_modules.
 */
export function findEntry(name) {
  const source = new URL(`../src/main/${name}.ts`, import.meta.url)
  return existsSync(source) ? source : new URL(`../dist/js/src/main/${name}.js`, import.meta.url)
}

/** Whether a Node of this version can run us. */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
}

/** The Node that npm installed with us, if there is one for this platform. */
export function findPinnedNode(platform, arch) {
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
  try {
    const folder = dirname(require.resolve(`${name}/package.json`))
    return join(folder, 'bin', platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}

function refuse(version) {
  console.error(
    `Countersign needs Node ${OLDEST_NODE.join('.')} or newer. This is ${version}, and npm has installed no other for ` +
      `${process.platform}-${process.arch}: install a newer Node from https://nodejs.org, or run npm ci without --omit=optional.`,
  )
  process.exitCode = 1
}

function relaunch(node) {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    // The channel carries nothing: that it closes tells the child of our end, even by kill -9.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [RELAUNCHED]: '1' },
  })
  for (const signal of FORWARDED_SIGNALS) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`Countersign could not start ${node}: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => endLike(code, signal))
}

function endLike(code, signal) {
  if (signal === null) process.exit(code)
  // As process 1 of a container, a signal to ourselves has no effect; the code says the same.
  process.exitCode = 128 + osConstants.signals[signal]
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

// The entry's own way of stopping is SIGTERM. The channel alone must not keep a command running that is done.
function stopWithLauncher() {
  if (process.channel === undefined) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

// Halves the time to start: compiled code and stripped types are kept from one start to the next.
function enableCompileCache() {
  const folder = findCacheFolder()
  if (folder === undefined) return
  const { directory } = nodeModule.enableCompileCache(folder)
  // What this process starts keeps its own there too.
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory
}

function findCacheFolder() {
  const user = process.getuid?.() ?? 0
  const root = fileURLToPath(new URL('..', import.meta.url))
  const candidates = [
    join(root, 'node_modules', '.cache', 'countersign', `code-${user}`),
    join(tmpdir(), `countersign-code-${user}`),
  ]
  return candidates.find((folder) => isOurs(folder, user))
}

// Code is run from this folder, so nobody else may have made it or be able to write to it.
function isOurs(folder, user) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
    const { uid, mode } = lstatSync(folder)
    return process.platform === 'win32' || (uid === user && (mode & 0o170022) === 0o040000)
  } catch {
    return false
  }
}
