// Connects only where the rule allows it, judged on the address itself. A name is resolved once, all of its answers are
// judged, and the connection goes to one of those very addresses; a literal never reaches a resolver and is judged as it
// stands. What the socket is connected to is looked at once more before a byte of ours is sent.
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import type { SecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import type { AddressRule } from './allowed-addresses.ts'

export type Lookup = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

export type GuardedConnectOptions = {
  rule: AddressRule
  secureContext: SecureContext
  timeoutMs: number
  /** The system's own, unless a test brings another. */
  lookup?: Lookup
}

export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED'

  constructor(host: string, address: string) {
    super(host === address ? `${address} is not a public address` : `${host} is at ${address}, which is not public`)
    this.name = 'AddressRefused'
  }
}

/** A connector for undici that refuses what the rule does not allow. */
export function guardedConnect(options: GuardedConnectOptions): buildConnector.connector {
  const { rule, secureContext, timeoutMs, lookup = systemLookup } = options
  // HTTP/1.1 alone: one request a connection at a time is what the limits of a receiver are about.
  const connect = buildConnector({
    secureContext,
    timeout: timeoutMs,
    maxCachedSessions: 2_000,
    allowH2: false,
    lookup: guardLookup(rule, lookup),
  } as buildConnector.BuildOptions)

  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !rule.mayConnect(host, host)) {
      callback(new AddressRefused(host, host), null)
      return
    }
    connect(target, (...[error, socket]) => {
      if (error) {
        callback(error, null)
        return
      }
      const address = socket.remoteAddress ?? ''
      if (rule.mayConnect(address, host)) {
        callback(null, socket)
        return
      }
      socket.destroy()
      callback(new AddressRefused(host, address), null)
    })
  }
}

type AnyLookup = (host: string, options: LookupOptions, done: (...answer: unknown[]) => void) => void

function guardLookup(rule: AddressRule, lookup: Lookup): AnyLookup {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error)
      // One refused answer refuses them all: a name that is half public is a trap or a mistake.
      const refused = addresses.find(({ address }) => !rule.mayConnect(address, host))
      if (refused) return done(new AddressRefused(host, refused.address))
      const first = addresses[0]
      if (first === undefined) return done(new Error(`${host} has no address`))
      return options.all ? done(null, addresses) : done(null, first.address, first.family)
    })
  }
}
