// Where in a JSON text something is. Only asked when a body is about to be refused, so it favours clarity over speed.
import { formatPath } from './errors.ts'

type Frame = { keys: Set<string> | undefined; step: string | number }

const TOKEN = /"(?:[^"\\]|\\.)*"?|[[\]{},:]/gs

/** The path of what comes next after this beginning of a JSON text, and the first key that one object names twice. */
export function followTrail(text: string): { path: string; duplicate: string | undefined } {
  const frames: Frame[] = []
  const path = (): string => formatPath(frames.map((frame) => frame.step).filter((step) => step !== ''))
  let lastString = ''
  for (const [token] of text.matchAll(TOKEN)) {
    const top = frames.at(-1)
    if (token === '{') frames.push({ keys: new Set(), step: '' })
    else if (token === '[') frames.push({ keys: undefined, step: 0 })
    else if (token === '}' || token === ']') frames.pop()
    else if (token === ',' && typeof top?.step === 'number') top.step += 1
    else if (token === ':' && top?.keys !== undefined) {
      top.step = decode(lastString)
      if (top.keys.has(top.step)) return { path: path(), duplicate: path() }
      top.keys.add(top.step)
    } else if (token.startsWith('"')) lastString = token
  }
  return { path: path(), duplicate: undefined }
}

function decode(token: string): string {
  try {
    return String(JSON.parse(token))
  } catch {
    return token.replaceAll('"', '')
  }
}
