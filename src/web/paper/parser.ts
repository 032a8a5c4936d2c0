// The renderer's own worker. A place without an origin may start none from an address, and no module, only a plain script
// that it holds itself: a few words that load the renderer, and keep for it what is said meanwhile.

const PARSER = new URL(`${PDF_DATA}pdf.worker.min.mjs`, location.href).href

const LOADER = `const early = []
const keep = (event) => early.push(event)
addEventListener('message', keep)
import(${JSON.stringify(PARSER)}).then(() => {
  removeEventListener('message', keep)
  for (const { data, ports } of early) dispatchEvent(new MessageEvent('message', { data, ports: [...ports] }))
})`

type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): {
    createScriptURL(address: string): string
  }
}

export function startParser(): Worker {
  const address = URL.createObjectURL(new Blob([LOADER], { type: 'text/javascript' }))
  return new Worker(trusted(address))
}

/** The policy here lets nothing become a script by its name alone; this names the one that may. */
function trusted(only: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  if (trustedTypes === undefined) return only
  const rules = {
    createScriptURL(asked: string) {
      if (asked !== only) throw new TypeError('only the renderer may be loaded')
      return asked
    },
  }
  return trustedTypes.createPolicy('countersign-renderer', rules).createScriptURL(only)
}
