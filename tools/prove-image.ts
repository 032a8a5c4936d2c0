// `npm run proof:image`: executes every command of the Dockerfile in clean folders, without an engine, then starts what
// they made as the image would start it, and uses it. What it can't show: the base image itself, and the engine's work.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#client'
import { freePort } from '../test/free-port.ts'
import { makePdf } from '../test/small-pdf.ts'
import { readContext } from './image/build-context.ts'
import { buildStages, type BuiltStage } from './image/build-stages.ts'
import { lastStep, readCommand, readDockerfile } from './image/dockerfile.ts'

const READY_WITHIN_MS = 90_000
const SEALED_WITHIN_MS = 60_000
const STOPPED_WITHIN_MS = 45_000

const source = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'countersign-image-'))
const stages = readDockerfile(readFileSync(join(source, 'Dockerfile'), 'utf8'))
const context = readContext(readFileSync(join(source, '.dockerignore'), 'utf8'))
const say = (line: string) => console.log(`proof: ${line}`)

try {
  chmodSync(folder, 0o755)
  const image = buildStages({ stages, source, context, folder, say }).at(-1)!
  checkContents(image)
  await useImage(image)
  say('the image’s commands work; not shown: the base image, and what the engine does')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function checkContents({ root }: BuiltStage): void {
  for (const name of ['vite', 'typescript', 'playwright-core', 'react']) {
    if (existsSync(join(root, 'app/node_modules', name)))
      throw new Error(`the image has the development package ${name}`)
  }
  const unwanted = globSync('app/{src,client}/**/*.test.ts', { cwd: root })
  if (unwanted.length > 0) throw new Error(`the image has tests: ${unwanted[0]}`)
  const [size] = spawnSync('du', ['-sm', root], { encoding: 'utf8' }).stdout.split('\t')
  say(`${size} MB beside the base image`)
}

async function useImage(image: BuiltStage): Promise<void> {
  const stage = stages.at(-1)!
  const [user] = lastStep(stage, 'USER').text.split(':').map(Number)
  const port = await freePort()
  const key = `csk_${randomBytes(24).toString('hex')}`
  const environment = environmentOf(image, { port, key })
  const asUser = process.getuid?.() === 0 ? { uid: user, gid: user } : {}
  const command = [...readCommand(lastStep(stage, 'ENTRYPOINT')), ...readCommand(lastStep(stage, 'CMD'))]
  const place = { cwd: join(image.root, image.workdir), env: environment, ...asUser }
  const service = spawn(command[0]!, command.slice(1), { ...place, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  service.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  try {
    const [program, ...args] = readCommand(lastStep(stage, 'HEALTHCHECK'))
    await until('healthy', READY_WITHIN_MS, async () => spawnSync(program!, args, place).status === 0)
    say(`"${command.join(' ')}" is healthy, as user ${user}`)
    await sealOne(`http://127.0.0.1:${port}`, key)
  } finally {
    await stop(service)
    process.stderr.write(complaints)
  }
  // It builds its pages again where they are not those of its sources, which an image can't.
  if (/pages/.test(complaints)) throw new Error('the pages in the image do not belong to its sources')
}

/** The image's own environment, with its folders where they lie here, and what an operator must add. */
function environmentOf(image: BuiltStage, { port, key }: { port: number; key: string }): Record<string, string> {
  const own = Object.entries(image.environment).map(([name, value]) => {
    const isFolder = value.startsWith('/') && existsSync(join(image.root, value))
    return [name, isFolder ? join(image.root, value) : value]
  })
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  chmodSync(temporary, 0o1777)
  return {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: temporary,
    TMPDIR: temporary,
    ...Object.fromEntries(own),
    COUNTERSIGN_TRUST_PROXY: '127.0.0.1',
    COUNTERSIGN_PORT: String(port),
    COUNTERSIGN_SUBSCRIPTION_KEY: key,
  }
}

/** Server, worker, database, store and pages: all have to work for this. */
async function sealOne(url: string, key: string): Promise<void> {
  const countersign = connect({ url, key })
  const { uri: documentURI } = await countersign.uploadDocument({
    content: new Uint8Array(makePdf()),
    fileName: 'a.pdf',
  })
  const { id: sealingRequestId } = await countersign.createSealingRequest({ subject: 'Proof' })
  await countersign.addDocumentToSealingRequest({ sealingRequestId, documentURI, fileName: 'a.pdf' })
  await countersign.createOrChangeSealingRequest({ sealingRequestId, status: 'Open' })
  await until('sealed', SEALED_WITHIN_MS, async () => {
    const { status, statusReason } = await countersign.readSealingRequest({ sealingRequestId })
    if (status === 'Error') throw new Error(`sealing failed: ${statusReason}`)
    return status === 'Processed'
  })
  for (const path of ['/sign', '/docs', '/openapi.json']) {
    const { status } = await fetch(url + path)
    if (status !== 200) throw new Error(`${path} answers ${status}`)
  }
  say('a document was sealed; pages and reference are there')
}

async function stop(service: ChildProcess): Promise<void> {
  const ended = new Promise<number | null>((resolve) => service.once('exit', resolve))
  if (service.exitCode !== null) throw new Error(`the service ended by itself, with ${service.exitCode}`)
  service.kill('SIGTERM')
  const late = setTimeout(() => service.kill('SIGKILL'), STOPPED_WITHIN_MS)
  const code = await ended
  clearTimeout(late)
  if (code !== 0) throw new Error(`SIGTERM ended the service with ${code}`)
  say('SIGTERM stopped it, with exit 0')
}

async function until(what: string, withinMs: number, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not ${what} within ${withinMs / 1000} s`)
    await sleep(500)
  }
}
