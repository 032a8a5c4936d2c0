import type { EmbeddedPostgres } from '#platform/db/embedded/embedded-postgres.ts'
import type { FirstStart } from './first-start.ts'

export type Welcome = {
  url: string
  firstStart: FirstStart
  dataDir: string
  database: Pick<EmbeddedPostgres, 'clusterDir'> | undefined
}

/** The same for a program that started us: one line of JSON. */
export function describeForPrograms({ url, firstStart, dataDir }: Welcome) {
  return { url, console: `${url}/console`, reference: `${url}/docs`, dataDir, made: firstStart.made ?? null }
}

/** What a person sees in the terminal once everything is up. */
export function welcome({ url, firstStart, dataDir, database }: Welcome): string {
  const lines = [
    '',
    '  Countersign is running.',
    '',
    `  Console           ${url}/console`,
    `  API reference     ${url}/docs`,
  ]
  if (firstStart.made) {
    const { login, password, key } = firstStart.made
    lines.push(
      `  Login             ${login}`,
      `  Password          ${password}`,
      `  Subscription key  ${key}`,
      '',
      '  Try it:',
      `  curl -H 'Ocp-Apim-Subscription-Key: ${key}' ${url}/onboarding/department`,
      '',
      `  These are shown once and lie in ${firstStart.file}. Keep them in a safe place and delete that file.`,
    )
  } else if (firstStart.file !== undefined) {
    lines.push(`  Login and key     in ${firstStart.file}`)
  } else {
    lines.push('  Login and key     as made at the first start')
  }
  lines.push(
    `  Data              ${dataDir}${database && !database.clusterDir.startsWith(dataDir) ? ` and ${database.clusterDir}` : ''}`,
    '',
  )
  return lines.join('\n')
}
