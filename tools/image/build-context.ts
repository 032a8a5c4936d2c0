// What `docker build` would be sent of this folder: everything that .dockerignore lets through.
type Rule = { pattern: RegExp; isIncluded: boolean }

export type Context = { has(path: string): boolean }

/** Whether a path is part of the context; of several rules that fit it or a folder above it, the last one decides. */
export function readContext(dockerignore: string): Context {
  const rules = dockerignore
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): Rule => ({ pattern: readPattern(line.replace(/^!/, '')), isIncluded: line.startsWith('!') }))
  return {
    has(path) {
      const places = withParents(path)
      const decisive = rules.findLast(({ pattern }) => places.some((place) => pattern.test(place)))
      return decisive?.isIncluded ?? true
    },
  }
}

/** Here a star stands for names with a dot in front as well. */
function readPattern(glob: string): RegExp {
  const source = glob.replaceAll(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (found) => {
    if (found === '**/') return '(?:.*/)?'
    if (found === '**') return '.*'
    if (found === '*') return '[^/]*'
    return found === '?' ? '[^/]' : `\\${found}`
  })
  return new RegExp(`^${source}$`)
}

function withParents(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
