// Reads single values from the environment. Every mistake is collected, so that an operator sees all of them at once.
import { readFileSync, statSync } from 'node:fs'

export type Environment = Record<string, string | undefined>

export class ConfigurationError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

export class EnvironmentReader {
  readonly #environment: Environment
  readonly problems: string[] = []

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** The text of a variable; a variable that is set to nothing counts as not set. */
  text(name: string): string | undefined {
    const value = this.#environment[name]?.trim()
    return value === '' ? undefined : value
  }

  /** A secret, given directly or as the path of a file in NAME_FILE. */
  secret(name: string): string | undefined {
    const file = this.text(`${name}_FILE`)
    if (file === undefined) return this.text(name)
    if (this.text(name) !== undefined) this.#problem(name, `is set twice: use either ${name} or ${name}_FILE`)
    try {
      if ((statSync(file).mode & 0o004) !== 0)
        this.#problem(`${name}_FILE`, `${file} can be read by everybody: chmod 600 it`)
      return readFileSync(file, 'utf8').trim()
    } catch (error) {
      this.#problem(`${name}_FILE`, `${file} can't be read (${(error as NodeJS.ErrnoException).code})`)
      return undefined
    }
  }

  integer(name: string, { least, most, otherwise }: { least: number; most: number; otherwise: number }): number {
    const value = this.text(name)
    if (value === undefined) return otherwise
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (number >= least && number <= most) return number
    this.#problem(name, `must be a whole number from ${least} to ${most}`)
    return otherwise
  }

  boolean(name: string, otherwise = false): boolean {
    const value = this.text(name)?.toLowerCase()
    if (value === undefined) return otherwise
    if (value !== 'true' && value !== 'false') this.#problem(name, 'must be true or false')
    return value === 'true'
  }

  oneOf<const Words extends readonly [string, ...string[]]>(name: string, words: Words): Words[number] {
    const value = this.text(name)
    if (value === undefined) return words[0]
    if (words.includes(value)) return value
    this.#problem(name, `must be one of ${words.join(', ')}`)
    return words[0]
  }

  url(name: string, protocols: string[]): URL | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const url = URL.parse(value)
    if (url !== null && protocols.includes(url.protocol)) return url
    this.#problem(name, `must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`)
    return undefined
  }

  list(name: string): string[] {
    return (this.text(name) ?? '').split(/[\s,]+/).filter((item) => item !== '')
  }

  problem(name: string, what: string): void {
    this.#problem(name, what)
  }

  #problem(name: string, what: string): void {
    this.problems.push(`${name} ${what}`)
  }
}
