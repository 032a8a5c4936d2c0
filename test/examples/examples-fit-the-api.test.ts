// What can be said of examples without running them. It matters most for those in C#, which no test here can run or
// compile: their addresses, methods and fields are the API's, and their brackets and texts are closed.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { operationFacts } from '../../tools/client/operation-facts.ts'
import { currentApi } from '../../tools/reference/openapi-file.ts'
import { EXAMPLES } from './programs.ts'

const api = currentApi()
const operations = operationFacts(api)
const withoutNames = (path: string) => path.replaceAll(/\{[^}]*\}|\$\w+/g, '{}')
const TASKS = ['download-evidence', 'receive-webhook', 'seal', 'send-and-wait']
const LANGUAGES = ['cs', 'py', 'sh', 'ts']

const read = (name: string) => readFileSync(`${EXAMPLES}/${name}`, 'utf8')
const filesOf = (extension: string) =>
  globSync(`${EXAMPLES}/*.${extension}`)
    .map((path) => basename(path))
    .sort()

/** The names of all fields that the API knows, in bodies and answers, and those of deliveries. */
const fields = new Set(
  [...JSON.stringify(api).matchAll(/"(\w+)":\{/g)].map(([, name]) => name!).concat('EventType', 'EventData'),
)

describe('examples', () => {
  test('there is one for each task in each language', () => {
    for (const extension of LANGUAGES) {
      assert.deepEqual(
        filesOf(extension),
        TASKS.map((task) => `${task}.${extension}`),
      )
    }
  })

  for (const name of ['cs', 'py', 'sh'].flatMap(filesOf)) {
    test(`${name} names addresses that exist, and their queries`, () => {
      const known = new Map(operations.map((operation) => [withoutNames(operation.path), operation]))
      const addresses = [...read(name).matchAll(/"(?:\$api)?(\/(?:signing|onestep|sealing|storage|event)[^"]*)"/g)]
      assert.ok(addresses.length > 0 || name.startsWith('receive'))
      for (const [, address] of addresses) {
        const [path, query] = withoutNames(address!).split('?')
        assert.ok(known.has(path!), address)
        const parameter = query?.split('=')[0]
        const isKnown = operations.some((one) => one.queryFields.some((field) => field.name === parameter))
        assert.ok(parameter === undefined || isKnown, address)
      }
    })
  }

  for (const name of filesOf('cs')) {
    test(`${name} calls with the right methods`, () => {
      const text = read(name)
      const sent = [...text.matchAll(/HttpMethod\.(\w+), \$?"([^"?]+)/g)].map(([, method, path]) => [method!, path!])
      const got = [...text.matchAll(/(?:GetFromJsonAsync<JsonElement>|GetByteArrayAsync|await Save)\(\$?"([^"?]+)/g)]
      for (const [method, path] of [...sent, ...got.map(([, path]) => ['GET', path!])]) {
        const isKnown = operations.some(
          (one) => one.method === method!.toUpperCase() && withoutNames(one.path) === withoutNames(path!),
        )
        assert.ok(isKnown, `${method} ${path}`)
      }
    })

    test(`${name} names fields that exist`, () => {
      const text = read(name)
      const bodies = [...text.matchAll(/JsonContent\.Create\(([\s\S]*?)\)[;,]\n/g)].map(([, body]) => body!).join('\n')
      const written = [...bodies.matchAll(/(\w+) = /g)].map(([, field]) => field!)
      const readOut = [...text.matchAll(/GetProperty\("(\w+)"\)/g)].map(([, field]) => field!)
      for (const field of [...written, ...readOut]) assert.ok(fields.has(field), field)
    })

    test(`${name} closes what it opens`, () => {
      const bare = read(name)
        .replaceAll(/(?<!:)\/\/.*$/gm, '')
        .replaceAll(/'(?:[^'\\]|\\.)'/g, '')
        // A text with values in it has code inside, whose own texts are taken out first.
        .replaceAll(/(?<=\()"[^"\n]*"(?=\))/g, '')
        .replaceAll(/\$?"[^"\n]*"/g, '')
      assert.doesNotMatch(bare, /"/)
      assert.equal(unclosed(bare), '')
    })
  }
})

function unclosed(text: string): string {
  const open: string[] = []
  const closes: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
  for (const character of text) {
    if ('([{'.includes(character)) open.push(character)
    else if (character in closes && open.pop() !== closes[character]) return `a ${character} too many`
  }
  return open.join('')
}
