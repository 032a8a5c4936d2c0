import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { makeKeyring } from '#platform/secrets/keyring.ts'
import { makeTokens, type Tokens } from './tokens.ts'

const SECRET = 'the present secret key of the tests'
const OLD = 'the previous secret key of the tests'
const LAST_MINUTE = new Date('2026-12-31T23:59:00Z')
const later = (minutes: number) => new Date(LAST_MINUTE.getTime() + minutes * 60_000)
const claims = { userId: newId(), tenantId: newId(), departmentId: newId(), role: 'user' }

describe('the keys of tokens', () => {
  const isGood = async (tokens: Tokens, token: string, now: Date) => (await tokens.verify(token, now)) !== undefined
  const published = async (tokens: Tokens, now: Date) => (await tokens.publicKeys(now)).map(({ kid }) => kid!)
  const keyOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid as string

  test('change with the quarter: a token from before is good until its end, and both keys are published', async () => {
    const tokens = makeTokens(makeKeyring(SECRET))
    const before = await tokens.issue(claims, LAST_MINUTE)
    const after = await tokens.issue(claims, later(2))
    assert.notEqual(keyOf(before), keyOf(after))
    assert.ok(await isGood(tokens, before, later(58)))
    assert.deepEqual((await published(tokens, later(58))).toSorted(), [keyOf(before), keyOf(after)].toSorted())
    assert.ok(!(await isGood(tokens, before, later(62))), 'its hour is over')
    assert.deepEqual(await published(tokens, later(125)), [keyOf(after)])
  })

  test('of a quarter that is over sign nothing that is accepted, whatever time it names', async () => {
    const tokens = makeTokens(makeKeyring(SECRET))
    const old = await tokens.issue(claims, LAST_MINUTE)
    const ahead = await tokens.issue(claims, later(60 * 24 * 100))
    assert.ok(!(await isGood(tokens, old, later(60 * 24))))
    assert.ok(!(await isGood(tokens, ahead, later(2))), 'a key of a quarter that has not begun')
  })

  test('follow the secret key: with the previous one configured its tokens are good, without it none is', async () => {
    const before = await makeTokens(makeKeyring(OLD)).issue(claims, LAST_MINUTE)
    const during = makeTokens(makeKeyring(SECRET, OLD))
    assert.ok(await isGood(during, before, later(1)))
    assert.ok((await published(during, LAST_MINUTE)).includes(keyOf(before)))
    const dropped = makeTokens(makeKeyring(SECRET))
    assert.ok(!(await isGood(dropped, before, later(1))))
    assert.ok(await isGood(dropped, await during.issue(claims, LAST_MINUTE), later(1)), 'new ones are of the new key')
  })
})
