// Writes the documents that the code alone decides (`npm run openapi`); tests compare them with the committed ones.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ERRORS_PATH, writeErrorsPage } from './reference/errors-page.ts'
import { clientFiles } from './client/client-files.ts'
import { currentApi, OPENAPI_PATH, writeOpenApi } from './reference/openapi-file.ts'
import { PERMISSIONS_PATH, writePermissionsPage } from './reference/permissions-page.ts'

const documents: [path: string, text: string][] = [
  [OPENAPI_PATH, writeOpenApi()],
  [ERRORS_PATH, await writeErrorsPage()],
  [PERMISSIONS_PATH, writePermissionsPage()],
  ...clientFiles(currentApi()),
]

for (const [path, text] of documents) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  console.log(`Wrote ${path}.`)
}
