// What our documents point at is there.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, test } from 'node:test'

const documents = globSync(['*.md', 'docs/**/*.md', 'client/*.md', 'src/**/*.md', 'tools/**/*.md'])

/** The anchors that a page has: its headings, as Markdown readers make them. */
function anchorsOf(path: string): Set<string> {
  const headings = readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)
  return new Set(
    [...headings].map(([, title]) =>
      title!
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  )
}

describe('documents', () => {
  for (const path of documents) {
    test(`${path} points at what is there`, () => {
      const text = readFileSync(path, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
      const targets = [...text.matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].map(([, link, picture]) => link ?? picture!)
      for (const target of targets.filter((address) => !/^\w+:/.test(address))) {
        const [file, anchor] = target.split('#')
        const place = file === '' ? path : normalize(join(dirname(path), file!))
        assert.ok(existsSync(place), `${target} is not there`)
        assert.ok(anchor === undefined || anchorsOf(place).has(anchor), `${target} has no such heading`)
      }
    })
  }
})
