// Reads a Dockerfile: its stages, and in each the instructions in order. Only what ours uses; anything else is refused.

export type Step = { instruction: string; text: string; line: number }
export type Stage = { name: string; base: string; steps: Step[] }

const KNOWN = new Set(
  'FROM ARG LABEL WORKDIR COPY RUN ENV USER VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(' '),
)

export function readDockerfile(text: string): Stage[] {
  const stages: Stage[] = []
  const values: Record<string, string> = {}
  for (const step of readSteps(text)) {
    if (step.instruction === 'ARG') {
      const [name, value = ''] = step.text.split('=')
      values[name!] = value
    } else if (step.instruction === 'FROM') {
      const [base, , name = `stage ${stages.length}`] = step.text.split(/\s+/)
      stages.push({ name, base: base!.replace(/^\$\{(\w+)\}$/, (_, given: string) => values[given] ?? ''), steps: [] })
    } else {
      stages.at(-1)!.steps.push(step)
    }
  }
  return stages
}

function readSteps(text: string): Step[] {
  const steps: Step[] = []
  let continued = false
  for (const [index, raw] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(raw)) continue
    const part = raw.replace(/\\$/, '').trim()
    if (continued) steps.at(-1)!.text += ` ${part}`
    else steps.push(readStep(part, index + 1))
    continued = raw.endsWith('\\')
  }
  return steps
}

function readStep(text: string, line: number): Step {
  const [, instruction = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(text) ?? []
  if (!KNOWN.has(instruction)) throw new Error(`Dockerfile:${line}: ${instruction || text} is not known here`)
  return { instruction, text: rest, line }
}

export type Copy = { from: string | undefined; sources: string[]; target: string }

export function readCopy({ text }: Step): Copy {
  const words = text.split(/\s+/)
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
  const paths = words.filter((word) => !word.startsWith('--'))
  return { from, sources: paths.slice(0, -1), target: paths.at(-1)! }
}

export function readEnvironment({ text }: Step): Record<string, string> {
  return Object.fromEntries(text.split(/\s+/).map((pair) => [pair.split('=')[0]!, pair.slice(pair.indexOf('=') + 1)]))
}

/** The command of an ENTRYPOINT, CMD or HEALTHCHECK in its list form. */
export function readCommand({ text }: Step): string[] {
  return JSON.parse(text.slice(text.indexOf('['))) as string[]
}

/** The last instruction of that name: it is the one that counts. */
export function lastStep({ steps }: Stage, instruction: string): Step {
  const found = steps.findLast((step) => step.instruction === instruction)
  if (!found) throw new Error(`the image has no ${instruction}`)
  return found
}
