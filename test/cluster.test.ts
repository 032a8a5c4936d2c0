import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Client } from 'pg'
import { getTestCluster } from './cluster.ts'

describe('the test cluster', () => {
  test('is there for every test file, and makes databases', async () => {
    const client = new Client({ connectionString: getTestCluster().ownerUrl })
    await client.connect()
    try {
      await client.query('create database cluster_test')
      await client.query('drop database cluster_test with (force)')
      const { rows } = await client.query<{ fsync: string }>('show fsync')
      assert.deepEqual(rows, [{ fsync: 'off' }])
    } finally {
      await client.end()
    }
  })

  test('can be reached by the parts of its connection, too', async () => {
    const client = new Client(getTestCluster().connection)
    await client.connect()
    await client.end()
  })
})
