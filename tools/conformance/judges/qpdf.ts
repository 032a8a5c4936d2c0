// qpdf knows the syntax of PDF: are our revisions well formed?
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { HEALTH, type Health } from '../signed-file.ts'
import { judgeEach, versionOf, type Judge } from './judge.ts'

export const qpdf: Judge = {
  name: 'qpdf',
  findVersion: () => versionOf('qpdf', ['--version']),
  judge: (bundle) =>
    judgeEach(bundle, ({ name, originalHealth = 'clean' }) => {
      const health = checkHealth(join(bundle.folder, name))
      const isWorse = HEALTH.indexOf(health) > HEALTH.indexOf(originalHealth)
      return isWorse ? [`${health}, and ${originalHealth} before it was signed`] : []
    }),
}

/** qpdf ends with 0 for a clean file, 3 where there is something to warn about, 2 where there is more. */
export function checkHealth(path: string): Health {
  const { status } = spawnSync('qpdf', ['--check', path], { stdio: 'ignore' })
  return status === 0 ? 'clean' : status === 3 ? 'warnings' : 'errors'
}
