// Builds the stages of a Dockerfile without an engine: each in a clean folder that stands for its root, with the machine's
// own shell and this Node in place of the base image.
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { Context } from './build-context.ts'
import { readCopy, readEnvironment, type Stage, type Step } from './dockerfile.ts'

export type BuiltStage = { root: string; workdir: string; environment: Record<string, string> }

type Build = {
  stages: Stage[]
  /** The folder that would be sent to the engine. */
  source: string
  context: Context
  /** Where the stages' roots are made. */
  folder: string
  say: (line: string) => void
}

/** Every stage, in order; the last is the image. Throws at the first step that fails. */
export function buildStages({ stages, ...build }: Build): BuiltStage[] {
  const built = new Map<string, BuiltStage>()
  for (const stage of stages) {
    const root = join(build.folder, stage.name.replaceAll(' ', '-'))
    mkdirSync(root, { recursive: true })
    const current: BuiltStage = { root, workdir: '/', environment: {} }
    for (const step of stage.steps) runStep(step, current, built, build)
    built.set(stage.name, current)
  }
  return [...built.values()]
}

function runStep(step: Step, stage: BuiltStage, built: Map<string, BuiltStage>, build: Omit<Build, 'stages'>): void {
  const startedAt = performance.now()
  if (step.instruction === 'WORKDIR') changeFolder(step, stage)
  else if (step.instruction === 'ENV') Object.assign(stage.environment, readEnvironment(step))
  else if (step.instruction === 'COPY') copy(step, stage, built, build)
  else if (step.instruction === 'RUN') run(step, stage, build)
  else return
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  build.say(`${basename(stage.root)}: ${step.instruction} ${step.text} (${seconds} s)`)
}

function changeFolder({ text }: Step, stage: BuiltStage): void {
  stage.workdir = text
  mkdirSync(join(stage.root, text), { recursive: true })
}

function copy(
  step: Step,
  stage: BuiltStage,
  built: Map<string, BuiltStage>,
  { source, context }: Omit<Build, 'stages'>,
): void {
  const { from, sources, target } = readCopy(step)
  const base = from === undefined ? source : built.get(from)!.root
  const isIncluded = (path: string) =>
    from !== undefined || path === base || leadsToIncluded(base, relative(base, path), context)
  for (const name of sources) {
    const path = join(base, name)
    const intoFolder = !statSync(path).isDirectory() && (target.endsWith('/') || target === './' || sources.length > 1)
    const destination = join(stage.root, target.startsWith('/') ? '' : stage.workdir, target)
    const place = intoFolder ? join(destination, basename(name)) : destination
    mkdirSync(dirname(place), { recursive: true })
    cpSync(path, place, { recursive: true, verbatimSymlinks: true, filter: isIncluded })
  }
}

/** A folder is gone through even where it is not included itself, for the sake of what may be inside. */
function leadsToIncluded(base: string, path: string, context: Context): boolean {
  if (context.has(path)) return true
  return (
    statSync(join(base, path)).isDirectory() &&
    globSync('*', { cwd: join(base, path) }).some((name) => context.has(`${path}/${name}`))
  )
}

function run(
  { text, line }: Step,
  { root, workdir, environment }: BuiltStage,
  { folder }: Omit<Build, 'stages'>,
): void {
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  const { status } = spawnSync('sh', ['-c', text], {
    cwd: join(root, workdir),
    env: { ...process.env, ...environment, PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, TMPDIR: home },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`Dockerfile:${line}: "${text}" ended with ${status}`)
}
