// The map of the product, held as a test: which way imports point, and who may call whom.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, test } from 'node:test'

/** Which feature may call which, through its index.ts. It has no cycle. */
const FEATURE_MAY_CALL: Record<string, string[]> = {
  onestepsigning: ['signing', 'storage', 'documenttemplating'],
  signing: [
    'event',
    'storage',
    'counts',
    'certificates',
    'messages',
    'evidence',
    'sealing',
    'history',
    'renewal',
    'abuse',
  ],
  signer: ['signing', 'storage', 'messages'],
  evidence: ['certificates', 'event'],
  archiving: ['signing'],
  sealing: ['event', 'storage', 'counts', 'documenttemplating', 'certificates', 'renewal'],
  renewal: ['storage', 'certificates'],
  retention: ['event', 'onboarding', 'signing', 'sealing', 'storage', 'messages', 'metadata', 'renewal'],
  certificates: ['activity'],
  messages: ['event', 'activity'],
  metadata: ['signing', 'sealing'],
  documenttemplating: ['storage', 'activity'],
  onboarding: ['signing', 'sealing', 'hooks', 'documenttemplating', 'certificates', 'messages', 'activity', 'counts'],
  identity: ['onboarding', 'activity'],
  validation: ['certificates', 'signing'],
  // Asks everybody how they are; nobody asks it.
  overview: ['abuse', 'counts', 'messages', 'hooks', 'certificates', 'storage'],
  user: [],
  storage: [],
  event: [],
  // Proves what the events tell; the events themselves know nothing of it.
  history: ['event', 'certificates'],
  hooks: ['event', 'activity', 'messages'],
  // Everybody who administers something says so here.
  activity: [],
  counts: [],
  // Bounds what others send; it sends nothing itself.
  abuse: [],
}

const LAYERS: Record<string, string[]> = {
  main: ['main', 'features', 'pades', 'pki', 'i18n', 'platform', 'client'],
  features: ['features', 'pades', 'pki', 'i18n', 'platform'],
  pades: ['pades', 'pki'],
  pki: ['pki'],
  i18n: ['i18n'],
  web: ['web', 'i18n', 'client'],
  platform: ['platform'],
}

const SOURCE = resolve('src')
const files = globSync('src/**/*.{ts,tsx}').filter((file) => !/\.test\.ts$|\/testing\//.test(file))

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/gm)]
    .map((match) => match[1] ?? match[2]!)
    .filter((path) => path.startsWith('.') || path.startsWith('#'))
    .map((path) => (path.startsWith('#') ? path.slice(1) : relative(SOURCE, join(resolve(dirname(file)), path))))
}

describe('architecture', () => {
  test('imports point from main to features, then to the engine and the platform', () => {
    for (const file of files) {
      const layer = file.split('/')[1]!
      for (const target of importsOf(file)) {
        const to = target.split('/')[0]!
        assert.ok(LAYERS[layer]?.includes(to), `${file} imports ${target}`)
      }
    }
  })

  test('the client stands alone: it ships without the rest', () => {
    for (const file of globSync('client/src/**/*.ts')) {
      for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
        const target = resolve(dirname(file), path!)
        assert.ok(path!.startsWith('.') && target.startsWith(resolve('client/src')), `${file} imports ${path}`)
      }
    }
  })

  test('a feature calls another only through its index.ts, and only where the map has an arrow', () => {
    for (const file of files.filter((name) => name.startsWith('src/features/'))) {
      const feature = file.split('/')[2]!
      assert.ok(feature in FEATURE_MAY_CALL, `${feature} is not on the map`)
      for (const target of importsOf(file).filter((path) => path.startsWith('features/'))) {
        const [, other, ...rest] = target.split('/')
        if (other === feature) continue
        assert.ok(FEATURE_MAY_CALL[feature]!.includes(other!), `${file} calls ${other}`)
        assert.deepEqual(rest, ['index.ts'], `${file} reaches into ${other}`)
      }
    }
  })

  test('the map has no cycle', () => {
    const visit = (feature: string, path: string[]): void => {
      assert.ok(!path.includes(feature), `cycle: ${[...path, feature].join(' → ')}`)
      for (const next of FEATURE_MAY_CALL[feature] ?? []) visit(next, [...path, feature])
    }
    for (const feature in FEATURE_MAY_CALL) visit(feature, [])
  })

  test('strangers’ files are looked at through the readers, which keep them apart', () => {
    for (const file of files.filter((name) => /^src\/(features|main)\//.test(name))) {
      const text = readFileSync(file, 'utf8')
      assert.doesNotMatch(text, /^import \{[^}]*\bcheckPdf\b[^}]*\} from '#pades\/intake\.ts'/m, file)
    }
  })

  test('only the places that may, read the clock, make random numbers carelessly or open connections', () => {
    const rules: [pattern: RegExp, allowed: RegExp, what: string][] = [
      [/\bMath\.random\(/, /^$/, 'Math.random'],
      [
        /\bDate\.now\(|new Date\(\)/,
        /^src\/(platform\/(clock|ids|log\/|jobs\/|blobs\/|db\/embedded\/)|main\/|web\/)/,
        'the clock',
      ],
      [/from 'node:(http|https|net|tls|dgram)'/, /^src\/(platform|main)\//, 'a connection'],
      [/\bfetch\(/, /^src\/(platform\/outbound|main|web)\//, 'fetch'],
      [/\bnew pg\./, /^src\/(platform\/db|main)\//, 'a database connection'],
    ]
    for (const file of files) {
      const text = readFileSync(file, 'utf8').replaceAll(/^import type .*$/gm, '')
      for (const [pattern, allowed, what] of rules) {
        assert.ok(!pattern.test(text) || allowed.test(file), `${file} uses ${what}`)
      }
    }
  })
})
