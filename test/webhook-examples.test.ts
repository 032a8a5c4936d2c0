// The examples of docs/webhooks.md, run as they stand there: each must accept our signatures and refuse everything else.
// A language whose tools are not on this machine is skipped.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { keyOf, signatureHeaders } from '#features/hooks/sign-delivery.ts'

const BODY = '{"EventType":"signaturerequestcreated","EventData":{"Name":"Åsa ✓"}}'
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`

type Case = { what: string; isOurs: boolean; secret: string; headers: Record<string, string>; body: string }

function makeCases(): Case[] {
  const at = new Date()
  const id = '0198f2f6-8a4b-7c3e-9d51-0c2b7a1e4f60'
  const signed = (secrets: string[], moment = at) =>
    signatureHeaders({ id, at: moment, body: BODY, keys: secrets.map(keyOf) })
  const good = { secret: SECRET, headers: signed([SECRET]), body: BODY }
  return [
    { what: 'ours', isOurs: true, ...good },
    { what: 'ours, while the secret is changed', isOurs: true, ...good, headers: signed([OTHER, SECRET]) },
    { what: 'another body', isOurs: false, ...good, body: `${BODY} ` },
    { what: 'another secret', isOurs: false, ...good, headers: signed([OTHER]) },
    { what: 'another id', isOurs: false, ...good, headers: { ...signed([SECRET]), 'webhook-id': 'x' } },
    { what: 'an old one', isOurs: false, ...good, headers: signed([SECRET], new Date(at.getTime() - 600_000)) },
  ]
}

const page = readFileSync(new URL('../docs/webhooks.md', import.meta.url), 'utf8')

function exampleIn(language: string): string {
  const found = [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map((match) => match[1]!)
  const example = found.find((code) => /is_?ours/i.test(code))
  assert.ok(example, `no example in ${language}`)
  return example
}

/** Each program reads the cases from its input as JSON and answers with a list of true and false. */
type Language = {
  name: string
  mark: string
  tool: string
  file: string
  program(example: string): string
  run: string[]
}

const LANGUAGES: Language[] = [
  {
    name: 'Node.js',
    mark: 'js',
    tool: process.execPath,
    file: 'example.mjs',
    program: (example) => `${example}
import { readFileSync } from 'node:fs'
const cases = JSON.parse(readFileSync(0, 'utf8'))
console.log(JSON.stringify(cases.map((c) => isOurs(c.secret, c.headers, Buffer.from(c.body)))))`,
    run: [],
  },
  {
    name: 'Python',
    mark: 'python',
    tool: 'python3',
    file: 'example.py',
    program: (example) => `${example}
import json, sys
cases = json.load(sys.stdin)
print(json.dumps([is_ours(c["secret"], c["headers"], c["body"].encode()) for c in cases]))`,
    run: [],
  },
  {
    name: 'Go',
    mark: 'go',
    tool: 'go',
    file: 'example.go',
    program: (example) => `package main
import ("crypto/hmac"; "crypto/sha256"; "encoding/base64"; "encoding/json"; "fmt"; "math"; "net/http"; "os"; "strconv"; "strings"; "time")
${example}
func main() {
  var cases []struct { Secret string; Headers map[string]string; Body string }
  json.NewDecoder(os.Stdin).Decode(&cases)
  answers := []bool{}
  for _, c := range cases {
    h := http.Header{}
    for name, value := range c.Headers { h.Set(name, value) }
    answers = append(answers, isOurs(c.Secret, h, []byte(c.Body)))
  }
  json.NewEncoder(os.Stdout).Encode(answers)
}`,
    run: ['run'],
  },
  {
    name: 'Java',
    mark: 'java',
    tool: 'java',
    file: 'Example.java',
    // Without a JSON parser in the language: the cases come as lines of five Base64 fields.
    program: (
      example,
    ) => `import java.nio.charset.StandardCharsets; import java.security.MessageDigest; import java.time.Instant;
import java.util.*; import javax.crypto.Mac; import javax.crypto.spec.SecretKeySpec;
class Example {
${example}
  public static void main(String[] given) throws Exception {
    var answers = new ArrayList<String>();
    var input = new Scanner(System.in, StandardCharsets.UTF_8);
    while (input.hasNextLine()) {
      var fields = Arrays.stream(input.nextLine().split(" ")).map(f -> Base64.getDecoder().decode(f)).toList();
      var text = fields.stream().map(f -> new String(f, StandardCharsets.UTF_8)).toList();
      answers.add(String.valueOf(isOurs(text.get(0), text.get(1), text.get(2), text.get(3), fields.get(4))));
    }
    System.out.println("[" + String.join(",", answers) + "]");
  }
}`,
    run: [],
  },
]

const inLines = (cases: Case[]) =>
  cases
    .map(({ secret, headers, body }) =>
      [secret, headers['webhook-id']!, headers['webhook-timestamp']!, headers['webhook-signature']!, body]
        .map((field) => Buffer.from(field).toString('base64'))
        .join(' '),
    )
    .join('\n')

const isHere = (tool: string) => spawnSync(tool, [tool === 'go' ? 'version' : '--version']).status === 0

describe('the examples of docs/webhooks.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-examples-'))
  after(() => rmSync(folder, { recursive: true }))

  for (const { name, mark, tool, file, program, run } of LANGUAGES) {
    test(`in ${name} accept what is ours, and nothing else`, (context) => {
      const code = program(exampleIn(mark))
      if (!isHere(tool)) return context.skip(`${tool} is not here`)
      const cases = makeCases()
      writeFileSync(join(folder, file), code)
      const input = mark === 'java' ? inLines(cases) : JSON.stringify(cases)
      const answers = JSON.parse(
        execFileSync(tool, [...run, join(folder, file)], { input, encoding: 'utf8' }),
      ) as boolean[]
      for (const [index, { what, isOurs }] of cases.entries()) assert.equal(answers[index], isOurs, what)
    })
  }

  test('in C# are there; they need a project to be run', () => {
    assert.match(exampleIn('csharp'), /FixedTimeEquals/)
  })
})
