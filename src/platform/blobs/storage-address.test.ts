import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseStorageAddress } from './storage-address.ts'

describe('storage addresses', () => {
  test('a path is a folder', () => {
    assert.deepEqual(parseStorageAddress('./data/blobs'), { kind: 'folder', folder: './data/blobs' })
  })

  test('s3:// names a bucket, and optionally endpoint and region', () => {
    assert.deepEqual(parseStorageAddress('s3://my-bucket'), {
      kind: 's3',
      bucket: 'my-bucket',
      endpoint: undefined,
      region: undefined,
    })
    assert.deepEqual(parseStorageAddress('s3://my.bucket/?endpoint=http://127.0.0.1:9000&region=eu-north-1'), {
      kind: 's3',
      bucket: 'my.bucket',
      endpoint: 'http://127.0.0.1:9000',
      region: 'eu-north-1',
    })
  })

  for (const [what, address, message] of [
    ['nothing', ' ', /empty/],
    ['another scheme', 'gs://bucket', /only a folder or s3/],
    ['no bucket', 's3://', /form|bucket/],
    ['a bucket with a strange name', 's3://My_Bucket', /not the name of a bucket/],
    ['a path behind the bucket', 's3://bucket/prefix', /not the name of a bucket/],
    ['credentials', 's3://key:secret@bucket', /credentials do not belong/],
    ['an unknown parameter', 's3://bucket?endpiont=x', /endpiont/],
    ['an endpoint without a scheme', 's3://bucket?endpoint=localhost:9000', /endpoint/],
  ] as const) {
    test(`${what} is refused in one line`, () => {
      assert.throws(() => parseStorageAddress(address), message)
    })
  }
})
