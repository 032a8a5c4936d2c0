import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isUuid, newId, uuidBytes } from './ids.ts'

describe('ids', () => {
  test('are UUIDs of version 7 with the time in front', () => {
    const before = Date.now()
    const bytes = uuidBytes(newId())
    assert.equal(bytes[6]! >> 4, 7)
    assert.equal(bytes[8]! >> 6, 2)
    assert.ok(bytes.readUIntBE(0, 6) >= before && bytes.readUIntBE(0, 6) <= Date.now() + 100)
  })

  test('rise strictly, also a hundred thousand of them in a few milliseconds', () => {
    let last = ''
    for (let n = 0; n < 100_000; n++) {
      const id = newId()
      assert.ok(isUuid(id) && id > last, `${id} after ${last}`)
      last = id
    }
  })
})
