import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

type Lock = {
  packages: Record<string, { integrity?: string; link?: boolean; optionalDependencies?: Record<string, string> }>
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lock

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
})
