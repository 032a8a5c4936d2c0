// The processes themselves, and what is left when everything has had its time.
import type { World } from '../world.ts'
import { each, none, together, type Invariant } from './invariant.ts'

export const DIES_ONLY_WHEN_KILLED = {
  name: 'dies-only-when-killed',
  says: 'No process ends by itself, whatever happens to the others; the database only where one of its own processes was killed.',
  check: ({ deaths }: Pick<World, 'deaths'>) =>
    each(deaths, ({ part, how, wasUp, isOurs }) => wasUp && !isOurs && `${part} ended by itself (${how})`),
}

export const PROCESSES: readonly Invariant[] = [
  DIES_ONLY_WHEN_KILLED,
  {
    name: 'comes-to-rest',
    says: 'Once nothing is broken any more, all work that was begun ends: no job, message, event or request waits for ever.',
    onlyAtRest: true,
    check: ({ rows }) =>
      together(
        each(
          rows.job.filter(({ run_at: runAt }) => runAt.getTime() <= Date.now()),
          ({ id, queue, state, last_error: error }) => `job ${id} of ${queue} is ${state}: ${error}`,
        ),
        each(rows.outbox, ({ id }) => `event ${id} was not handed out`),
        each(rows.log_queue, ({ event_id: id }) => `event ${id} has no place in the log`),
        each(rows.message, ({ id, kind, state }) => state === 'waiting' && `message ${id} (${kind}) waits`),
        each(rows.signature_request, ({ id, status }) => status === 'Processing' && `request ${id} is being sealed`),
        each(
          rows.sealing_request,
          ({ id, status }) => ['Open', 'Processing'].includes(status) && `sealing request ${id} is ${status}`,
        ),
      ),
  },
  {
    name: 'nothing-left-behind',
    says: 'No half-written file, no open transaction and no lock stays behind.',
    onlyAtRest: true,
    check: ({ staged, held }) =>
      together(
        none(staged, (name) => `${name} is left in the staging folder`),
        none(held, (what) => `${what} is still held`),
      ),
  },
]
