// `countersign documents audit`: every signed and sealed file against its record and our own validator.
import { lowestIdAt } from '#platform/ids.ts'
import { auditFiles, type FilesAudit, type Finding } from '../audit/audit-files.ts'
import { readPlace, writePlace, type Place } from '../audit/place.ts'
import { EXIT, WrongUsage, type Arguments, type Command } from '../command-line/command.ts'
import { progressOnceKnown } from '../command-line/terminal.ts'
import { openLocalPlatform } from '../local-installation.ts'

const LARGEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const NAMES = { signaturedocument: 'document', evidence: 'evidence of', sealingdocument: 'sealed document' }

export const auditDocuments: Command = {
  purpose: 'check every signed and sealed file against its record and the validator',
  description:
    'Reads every file that was signed or sealed here, and the evidence: its bytes must be the ones that were recorded and that its history tells, ' +
    'its signatures good at the recorded level by our own validator, its earlier revisions unchanged and its beginning. ' +
    'Only reads: the database session is read-only, with the role of the server, which may see no private key. One file is in ' +
    'memory at a time. Works beside a service that runs and without one. Ctrl-C stops it and tells where to go on.',
  options: {
    since: { value: 'TIME', about: 'Only documents that were handed in from this moment on (ISO 8601).' },
    until: { value: 'TIME', about: 'Only documents that were handed in before this moment.' },
    after: { value: 'PLACE', about: 'Go on behind the place that an audit which was stopped has told.' },
  },
  exitCodes: {
    0: 'every file is sound',
    1: 'a file is not, or it could not be found out',
    3: 'stopped before the end; what was looked at is sound',
  },
  async run(terminal, given) {
    const behind = readAfter(given)
    const span = {
      after: readId(given, 'since') ?? lowestIdAt(new Date(0)),
      before: readId(given, 'until') ?? LARGEST_ID,
    }
    const readOnly = { isReadOnly: true }
    const { platform, close } = await openLocalPlatform(terminal.environment, 'countersign_request', readOnly)
    const bar = progressOnceKnown(terminal, 'Files')
    const stop = new AbortController()
    const end = () => stop.abort()
    process.once('SIGINT', end).once('SIGTERM', end)
    try {
      const audit = await auditFiles(platform, { span, behind, signal: stop.signal, onFiles: bar.add })
      bar.done()
      const { stoppedAfter, ...figures } = audit
      const place = stoppedAfter === undefined ? null : writePlace(stoppedAfter)
      terminal.answer({ isSound: audit.failures === 0, stoppedAfter: place, ...figures }, describe(audit, place))
      if (audit.failures > 0) return EXIT.bad
      return place === null ? EXIT.good : EXIT.doubt
    } finally {
      process.off('SIGINT', end).off('SIGTERM', end)
      await close()
    }
  },
}

function readAfter(given: Arguments): Place | undefined {
  const text = given.text('after')
  if (text === undefined) return undefined
  const place = readPlace(text)
  if (place === undefined) throw new WrongUsage('--after must be a place as an audit tells it: TENANT/KIND/ID')
  return place
}

/** Ids rise with time, so a moment is a place among them. */
function readId(given: Arguments, name: string): string | undefined {
  const text = given.text(name)
  if (text === undefined) return undefined
  const moment = new Date(text)
  if (!(moment.getTime() >= 0)) throw new WrongUsage(`--${name} must be a moment such as 2026-11-15T12:00:00Z`)
  return lowestIdAt(moment)
}

function describe(audit: FilesAudit, place: string | null): string[] {
  const { sound, revisions, readBytes, gone, failures, findings } = audit
  const read = `${(readBytes / 1_000_000).toFixed(1)} MB read`
  const deleted = gone === 0 ? '' : `, ${gone} deleted meanwhile`
  const unlisted = failures - findings.length
  return [
    ...findings.map(describeFinding),
    ...(unlisted === 0 ? [] : [`BAD  and ${unlisted} more`]),
    `${failures === 0 ? 'Sound' : 'Not sound'}: ${sound} files good, ${failures} bad${deleted}; ` +
      `${revisions} earlier revisions unchanged; ${read}.`,
    ...(place === null ? [] : [`Stopped. Go on with --after ${place}`]),
  ]
}

function describeFinding({ tenantId, kind, id, requestId, documentURI, problem }: Finding): string {
  const name = kind === 'evidence' ? `${NAMES[kind]} ${id}` : `${NAMES[kind]} ${id} of request ${requestId}`
  return `BAD  ${name} (tenant ${tenantId}, file ${documentURI}): ${problem}`
}
