import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

const LEAST_CONTRAST = 4.5
const TEXTS = ['ink', 'quiet', 'accent', 'good', 'warn', 'bad']
const GROUNDS = ['paper', 'surface']
const PAIRS = [
  ...TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)),
  ['on-accent', 'accent'],
] as const

const css = readFileSync(new URL('../../src/web/ui/tokens.css', import.meta.url), 'utf8')
const [light, dark] = css.split('@media (prefers-color-scheme: dark)') as [string, string]

describe('colours', () => {
  for (const [name, text] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    const colours = readColours(text)

    test(`${name}: every pair of text and ground has a contrast of at least ${LEAST_CONTRAST}:1`, () => {
      for (const [over, ground] of PAIRS) {
        const found = contrast(colours.get(over)!, colours.get(ground)!)
        assert.ok(found >= LEAST_CONTRAST, `${over} on ${ground} has ${found.toFixed(2)}:1`)
      }
    })
  }

  test('light and dark know the same names', () => {
    assert.deepEqual([...readColours(light).keys()], [...readColours(dark).keys()])
  })

  test('the measure itself: black on white is 21:1, the same colour 1:1', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21)
    assert.equal(contrast('#1f4bd8', '#1f4bd8'), 1)
  })
})

function readColours(text: string): Map<string, string> {
  return new Map([...text.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1]!, match[2]!]))
}

/** WCAG 2.2, contrast ratio. */
function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
