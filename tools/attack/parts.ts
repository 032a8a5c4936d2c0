// What `npm run proof:attack` is made of: every test that docs/security.md names, and those whose size can be chosen at the
// size of a proof, of which `npm test` does a small share.
import { globSync, readFileSync } from 'node:fs'

export type Part = {
  name: string
  about: string
  /** How many trials it makes, or where its output tells that: the sum of what is matched. */
  trials: number | RegExp
  /** Of `node`. */
  args: readonly string[]
  environment: Readonly<Record<string, string>>
  /** Whether it takes --seed, and options of its own. */
  takesOptions: boolean
}

/** How the runner of the tests ends. */
const TESTS = /^ℹ tests (\d+)$/gm

type Sized = Pick<Part, 'name' | 'about' | 'trials'> & {
  /** Of the path of its test. */
  word: string
  variable: string
  /** The number of trials, unless it is said otherwise. */
  value?: string
}

const SIZED: readonly Sized[] = [
  {
    name: 'timing',
    about: 'wrong keys, nearly right or all wrong, refused in turns',
    trials: 100_000,
    word: 'test/key-timing',
    variable: 'COUNTERSIGN_TIMING_SAMPLES',
  },
  {
    name: 'links',
    about: 'links, of which no two are alike',
    trials: 1_000_000,
    word: 'signer/links',
    variable: 'COUNTERSIGN_LINK_TOKENS',
  },
  {
    name: 'rebinding',
    about: 'deliveries to names that are public and private in turns',
    trials: 10_000,
    word: 'outbound/sender',
    variable: 'COUNTERSIGN_REBOUND_SENDS',
  },
  {
    name: 'pool',
    about: 'calls of many tenants over two connections',
    trials: 10_000,
    word: 'test/small-pool',
    variable: 'COUNTERSIGN_POOL_CALLS',
  },
  {
    name: 'races',
    about: 'rounds in which everybody ends a request at once',
    trials: 200,
    word: 'signer/races',
    variable: 'COUNTERSIGN_RACE_ROUNDS',
  },
  {
    name: 'crowd',
    about: 'people who sign one request at the same moment',
    trials: 100,
    word: 'signer/crowd',
    variable: 'COUNTERSIGN_CROWD',
  },
  {
    name: 'stop',
    about: 'requests of a tenant that is shut out',
    trials: 5_000,
    word: 'commands/stop-tenant',
    variable: 'COUNTERSIGN_STOPPED_REQUESTS',
  },
  {
    name: 'pits',
    about: 'receivers of webhooks that never come to an end',
    trials: 200,
    word: 'hooks/tar-pits',
    variable: 'COUNTERSIGN_TAR_PITS',
  },
  {
    name: 'large',
    about: 'documents of more than 4 GB, signed and read',
    trials: TESTS,
    word: 'pades/large-documents',
    variable: 'COUNTERSIGN_LARGE_DOCUMENTS',
    value: 'signed',
  },
  {
    name: 'slow',
    about: 'calls beside slow clients and hostile files',
    trials: /\bn = (\d+)$/gm,
    word: 'test/slow-clients',
    variable: 'COUNTERSIGN_ATTACK_SCALE',
    value: '4',
  },
  {
    name: 'injection',
    about: 'hostile words in fields, then every page',
    trials: 1_620,
    word: 'journeys/injection',
    variable: 'COUNTERSIGN_INJECTION',
    value: 'all',
  },
]

const TOOLS: readonly Part[] = [
  {
    name: 'doors',
    about: 'mistakes planted into what keeps people apart',
    trials: /^(\d+) mistakes planted/gm,
    args: ['tools/prove-doors.ts'],
    environment: {},
    takesOptions: true,
  },
  {
    name: 'parsers',
    about: 'spoiled files for all that reads what strangers send',
    trials: /^(\d+) spoiled files for/gm,
    args: ['tools/fuzz-parsers.ts', '--count', '200000'],
    environment: {},
    takesOptions: true,
  },
  {
    name: 'fuzz',
    about: 'requests to every operation',
    trials: /, (\d+) requests, statuses/g,
    args: ['tools/fuzz.ts', '--each', '1000', '--at-once', '4'],
    environment: {},
    takesOptions: true,
  },
]

const PROMISES: Part = {
  name: 'promises',
  about: 'all other tests that docs/security.md names',
  trials: TESTS,
  args: ['tools/test.ts', ...listPromised()],
  environment: {},
  takesOptions: false,
}

/** In the order in which they are run. */
export const PARTS: readonly Part[] = [PROMISES, ...SIZED.map(sizedPart), ...TOOLS]

function sizedPart({ name, about, trials, word, variable, value = String(trials) }: Sized): Part {
  const args = ['tools/test.ts', word]
  return { name, about, trials, args, environment: { [variable]: value }, takesOptions: false }
}

/** Without those that another part runs at a larger size. */
function listPromised(): string[] {
  const named = [...readFileSync('docs/security.md', 'utf8').matchAll(/`([^`]+\.test\.ts)`/g)].map(([, file]) => file!)
  return globSync([...new Set(named)]).filter((file) => !SIZED.some(({ word }) => file.includes(word)))
}
