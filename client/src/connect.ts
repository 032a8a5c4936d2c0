import { makeCall, type CallOptions } from './call.ts'
import { followEvents, type Follow } from './follow.ts'
import { OPERATIONS } from './generated/operations.ts'
import type { Operations } from './generated/types.ts'
import { listAll, type ListAll } from './listings.ts'
import { sendUntilAnswered } from './retries.ts'
import { makeSend, type TransportOptions } from './transport.ts'

export type ConnectOptions = TransportOptions

/** Every operation of the service as a method; `all` goes through listings to their end, `follow` hears what happens. */
export type Countersign = Operations & { all: ListAll; follow: Follow }

/** A service to call. Nothing is sent before the first call. */
export function connect(options: ConnectOptions): Countersign {
  const send = makeSend(options)
  const methods = Object.entries(OPERATIONS).map(([name, line]) => [
    name,
    async (input: object = {}, callOptions: CallOptions = {}) =>
      sendUntilAnswered(send, makeCall(line, { ...input }, callOptions), callOptions, options),
  ])
  const operations = Object.fromEntries(methods) as Operations
  return { ...operations, all: listAll(operations), follow: followEvents(operations) }
}
