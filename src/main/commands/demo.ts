import { EXIT, WrongUsage, type Command } from '../command-line/command.ts'
import { table } from '../command-line/terminal.ts'
import { act, type Played } from '../demo/act.ts'
import { CAST } from '../demo/cast.ts'
import { onService, reachService, SERVICE_OPTIONS } from '../service-access.ts'

const MOST = 500

export const demo: Command = {
  purpose: 'fill a running service with believable requests, really signed',
  description:
    'Creates signature requests through the public API and plays their people by the calls of the signing page: some are ' +
    'signed by everybody, some wait, one is declined, one withdrawn, one a draft. The signatures are real ones. Nobody ' +
    'gets a message. Meant for a tenant to try things in: what was created stays (externalReference `demo`).',
  options: {
    ...SERVICE_OPTIONS,
    count: { value: 'N', about: `How many requests, 1 to ${MOST}. Default: ${CAST.length}, one of each kind.` },
  },
  async run(terminal, given) {
    const count = readCount(given.text('count'))
    const service = await reachService(terminal, given)
    const bar = terminal.progress('Requests', count)
    const requests: Played[] = []
    await onService(service, async () => {
      for (let index = 0; index < count; index++) {
        requests.push(await act(service, CAST[index % CAST.length]!))
        bar.add(1)
      }
    })
    bar.done()
    const rows = requests.map(({ id, status, subject }) => [id, status, subject])
    terminal.answer({ requests }, table(rows))
    return EXIT.good
  },
}

function readCount(text: string | undefined): number {
  if (text === undefined) return CAST.length
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > MOST) throw new WrongUsage(`--count must be a number from 1 to ${MOST}`)
  return count
}
