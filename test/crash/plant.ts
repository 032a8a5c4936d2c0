// Loaded with --import before a process of the service or its tests: plants the mistake that the environment names.
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { relative } from 'node:path'
import { OPEN_DOORS } from '../guards/open-doors.ts'
import { PLANT_VARIABLE, PLANTS, rewrite } from './plants.ts'

const name = process.env[PLANT_VARIABLE]
const plant = [...PLANTS, ...OPEN_DOORS].find((one) => one.name === name)
if (name !== undefined && plant === undefined) throw new Error(`there is no fault ${name} to plant`)

if (plant !== undefined) {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.startsWith('file:') || !loaded.source) return loaded
      const file = relative(process.cwd(), fileURLToPath(url))
      const wanted = plant.rewrites.filter((one) => one.file === file)
      if (wanted.length === 0) return loaded
      const source = Buffer.from(loaded.source as Uint8Array).toString()
      return { ...loaded, source: wanted.reduce(rewrite, source) }
    },
  })
}
