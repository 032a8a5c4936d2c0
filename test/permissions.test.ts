import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { routes } from '#main/routes.ts'
import { mayUse, PERMISSIONS_PATH, writePermissionsPage } from '../tools/reference/permissions-page.ts'

const FOR_ADMINISTRATORS = [10, 11, 12, 20, 23]
const WITH_TOKEN = [19, 20, 21, 22, 23]

describe('who may do what', () => {
  test('docs/permissions.md is the table of the code (npm run openapi writes it)', () => {
    assert.equal(readFileSync(PERMISSIONS_PATH, 'utf8'), writePermissionsPage())
  })

  for (const route of routes.filter(({ operation }) => operation !== undefined)) {
    const operation = route.operation!
    test(`operation ${operation}: administrators always, users and keys where the rule says so`, () => {
      assert.equal(mayUse(route, 'administrator'), true)
      assert.equal(mayUse(route, 'user'), !FOR_ADMINISTRATORS.includes(operation))
      assert.equal(mayUse(route, 'key'), !WITH_TOKEN.includes(operation))
    })
  }

  test('a key alone manages neither keys nor users', () => {
    for (const route of routes.filter(({ url }) => /^\/onboarding\/(subscriptionkey|user)\b/.test(url))) {
      assert.equal(mayUse(route, 'key'), false, route.url)
      assert.equal(mayUse(route, 'user'), false, route.url)
      assert.equal(mayUse(route, 'administrator'), true, route.url)
    }
  })
})
