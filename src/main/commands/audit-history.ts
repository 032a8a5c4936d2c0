// `countersign history audit`: every event of the installation against the log.
import { readFile } from 'node:fs/promises'
import { historyKeys } from '#features/event/index.ts'
import { auditLog, type Audit } from '#features/history/index.ts'
import { EXIT, type Command } from '../command-line/command.ts'
import { progressOnceKnown } from '../command-line/terminal.ts'
import { openLocalPlatform } from '../local-installation.ts'

export const auditHistory: Command = {
  purpose: 'check every event of the installation against the log',
  description:
    'Computes the hash of every event of every tenant anew and compares it with its place in the log, the tree with ' +
    'every timestamped checkpoint, and the newest checkpoint with the keys of the installation. Notices events that ' +
    'were changed, removed, exchanged, cut off or put in, also by the owner of the database. Works beside a service ' +
    'that runs and without one.',
  options: {
    checkpoint: {
      value: 'FILE',
      about: 'A checkpoint that was saved from /log/checkpoint, best elsewhere: shows that the log was not put back.',
    },
  },
  exitCodes: { 0: 'intact', 1: 'not intact, or it could not be found out' },
  async run(terminal, given) {
    const file = given.text('checkpoint')
    const kept = file === undefined ? undefined : await readFile(file, 'utf8')
    const { platform, close } = await openLocalPlatform(terminal.environment, 'countersign_worker')
    const keys = historyKeys(platform.keyring).map(({ publicKey }) => publicKey)
    const bar = progressOnceKnown(terminal, 'Events')
    const audit = await auditLog({ db: platform.db, keys, kept, onPlaces: bar.add }).finally(close)
    bar.done()
    const isIntact = audit.problems.length === 0
    terminal.answer({ isIntact, ...audit }, isIntact ? describe(audit, kept) : audit.problems.map(notIntact))
    return isIntact ? EXIT.good : EXIT.bad
  },
}

const notIntact = (problem: string) => `Not intact: ${problem}`

function describe({ events, stamped }: Audit, kept: string | undefined): string[] {
  const intact = `Intact: ${events} events are what was logged, and ${stamped} timestamped checkpoints agree.`
  const advice = 'Whether the log was put back to an earlier end only a kept checkpoint tells; see --checkpoint.'
  return kept === undefined ? [intact, advice] : [intact]
}
