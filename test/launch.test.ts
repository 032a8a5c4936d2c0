import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findPinnedNode, isNewEnough } from '../bin/launch.js'

const launcher = fileURLToPath(new URL('fixtures/launch/launcher.js', import.meta.url))
const command = fileURLToPath(new URL('../bin/countersign.js', import.meta.url))

type Greeting = {
  pid: number
  version: string
  execPath: string
  wish: string
  rest: string[]
  cache?: string
  childCache?: string
}

const pinned = findPinnedNode(process.platform, process.arch)
const needsPinned = { skip: pinned === undefined && 'no pinned Node on this platform' }

function run(node: string, args: string[], version = '20.0.0') {
  const env = { ...process.env, PRETEND_VERSION: version, NODE_COMPILE_CACHE: undefined }
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8', env, timeout: 180_000 })
  return { status, stdout, stderr }
}

async function startWaiting() {
  const env = { ...process.env, PRETEND_VERSION: '20.0.0' }
  const child = spawn(process.execPath, [launcher, 'entry', 'wait'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const end = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const greeting = JSON.parse(String((await lines.next()).value)) as Greeting
  const nextLine = async (): Promise<string | undefined> => (await lines.next()).value
  return { child, end, greeting, nextLine }
}

/** An older Node of the machine's own, outside of node_modules. */
function findOldNode(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find((path) => existsSync(path) && !isNewEnough(run(path, ['-p', 'process.versions.node']).stdout.trim()))
}

describe('the launcher', () => {
  test('knows which versions of Node are new enough', () => {
    const versions = ['18.20.1', '20.20.2', '22.99.0', '24.15.9', '24.16.0', '24.21.0', '25.0.0', '26.1.0']
    assert.deepEqual(versions.filter(isNewEnough), ['24.16.0', '24.21.0', '25.0.0', '26.1.0'])
  })

  test('finds no pinned Node where there is none', () => {
    assert.equal(findPinnedNode('darwin', 'arm64'), undefined)
    assert.equal(findPinnedNode('linux', 's390x'), undefined)
  })

  test('on a new Node the entry runs in the same process, with a cache of its code for itself and what it starts', () => {
    const { status, stdout } = run(process.execPath, [launcher, 'entry', 'exit', '3', '--flag'], process.versions.node)
    const greeting = JSON.parse(stdout) as Greeting
    assert.equal(status, 3)
    assert.deepEqual(greeting.rest, ['3', '--flag'])
    assert.match(greeting.cache ?? '', /countersign/)
    assert.ok(greeting.childCache !== undefined && greeting.cache?.startsWith(greeting.childCache))
  })

  test('on an old Node the pinned one runs it, with the same arguments and the same end', needsPinned, () => {
    const { status, stdout } = run(process.execPath, [launcher, 'entry', 'exit', '7', 'a b', '--flag'])
    const greeting = JSON.parse(stdout) as Greeting
    assert.equal(status, 7)
    assert.equal(realpathSync(greeting.execPath), realpathSync(pinned ?? ''))
    assert.deepEqual([greeting.wish, ...greeting.rest], ['exit', '7', 'a b', '--flag'])
  })

  test('a real older Node does the same', needsPinned, (t) => {
    const old = findOldNode()
    if (old === undefined) return t.skip('there is no older Node on this machine')
    const { status, stdout, stderr } = run(old, [launcher, 'entry', 'exit', '7'], '')
    assert.equal(stderr, '')
    assert.equal(status, 7)
    assert.match((JSON.parse(stdout) as Greeting).version, /^v24\./)
  })

  test('an entry that throws ends with its error and code 1', needsPinned, () => {
    const { status, stderr } = run(process.execPath, [launcher, 'entry', 'throw'])
    assert.equal(status, 1)
    assert.match(stderr, /thrown by the entry/)
  })

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    test(`${signal} reaches the entry, whose orderly end is ours`, needsPinned, async () => {
      const { child, end, nextLine } = await startWaiting()
      child.kill(signal)
      assert.deepEqual(JSON.parse((await nextLine()) ?? ''), { signal })
      assert.deepEqual(await end, [0, null])
    })
  }

  test('an entry that dies of a signal: so do we', needsPinned, async () => {
    const { end, greeting } = await startWaiting()
    process.kill(greeting.pid, 'SIGKILL')
    assert.deepEqual(await end, [null, 'SIGKILL'])
  })

  test('kill -9 of the launcher stops the entry in good order', needsPinned, async () => {
    const { child, nextLine } = await startWaiting()
    child.kill('SIGKILL')
    assert.deepEqual(JSON.parse((await nextLine()) ?? ''), { signal: 'SIGTERM' })
    assert.equal(await nextLine(), undefined, 'its output is closed, so it is gone')
  })
})

describe('the command countersign', () => {
  test('--help explains every command', () => {
    const { status, stdout } = run(process.execPath, [command, '--help'])
    assert.equal(status, 0)
    for (const name of [
      'start',
      'serve',
      'work',
      'migrate',
      'doctor',
      'tenant',
      'key',
      'user',
      'backup',
      'restore',
      'seal',
      'verify',
      'hooks',
      'demo',
    ]) {
      assert.match(stdout, new RegExp(`^  ${name} `, 'm'))
    }
  })

  for (const args of [[], ['toString'], ['../start'], ['--nonsense']]) {
    test(`${JSON.stringify(args)} is refused with the usage and code 2`, () => {
      const { status, stdout, stderr } = run(process.execPath, [command, ...args])
      assert.equal(status, 2)
      assert.equal(stdout, '')
      assert.match(stderr, /Usage: countersign/)
    })
  }
})
