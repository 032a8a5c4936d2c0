import { readFileSync } from 'node:fs'

/** The names of all settings, from the file that explains each; a secret can also be given as NAME_FILE. */
export function environmentNames(): Set<string> {
  const names = [...readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!)
  return new Set(names.flatMap((name) => [name, `${name}_FILE`]))
}
