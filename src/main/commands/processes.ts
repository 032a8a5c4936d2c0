// The processes of the product as commands. Each runs until it is stopped.
import { readConfig } from '#platform/config/config.ts'
import type { Environment } from '#platform/config/environment.ts'
import { CommandFailure, EXIT, type Command } from '../command-line/command.ts'

const untilStopped = { 0: 'stopped as asked, by SIGTERM or Ctrl-C', 1: 'it could not start, or did not stop in time' }

export const start: Command = {
  purpose: 'run everything: database, server and worker',
  description:
    'Runs the whole of Countersign until it is stopped: PostgreSQL (unless DATABASE_URL names another), the server and ' +
    'the worker. The first start makes a tenant, its administrator and a subscription key, and shows them. With --json ' +
    'that is one line, once everything is up.',
  exitCodes: untilStopped,
  async run({ environment }) {
    readConfig(environment)
    await import('../start.ts')
    return undefined
  },
}

export const serve: Command = {
  purpose: 'run the server alone',
  description: 'Runs the server until it is stopped. Needs DATABASE_URL; several may share one database.',
  exitCodes: untilStopped,
  async run({ environment }) {
    requireDatabase(environment)
    await import('../serve.ts')
    return undefined
  },
}

export const work: Command = {
  purpose: 'run the worker alone',
  description:
    'Runs the worker until it is stopped: it signs, seals, sends messages and delivers webhooks. Needs DATABASE_URL; ' +
    'several may share one database.',
  exitCodes: untilStopped,
  async run({ environment }) {
    requireDatabase(environment)
    await import('../work.ts')
    return undefined
  },
}

function requireDatabase(environment: Environment): void {
  if (readConfig(environment).databaseUrl !== undefined) return
  throw new CommandFailure('DATABASE_URL is needed here', {
    exitCode: EXIT.usage,
    fix: 'Set it, or use `countersign start`, which brings its own database.',
  })
}
