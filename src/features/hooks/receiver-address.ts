// Where deliveries may be sent, as far as an address tells by itself. The address that a name resolves to is judged
// again when it is connected to, by the same guard.
import { classifyHost } from '#platform/outbound/address-guard.ts'
import { makeAddressRule } from '#platform/outbound/allowed-addresses.ts'
import { addressNotAllowed } from './errors.ts'

export type AddressRules = {
  /** For development: receivers on this machine, by http too. */
  allowInsecure: boolean
  /** Networks of the operator's own, in CIDR notation, that deliveries may be sent to. */
  allow?: readonly string[]
  /** Under which the service itself is reached. */
  publicUrl: string | undefined
  /** On which the service itself listens. */
  ownPort: number
}

/** Above the ports that only an administrator may open, yet spoken by things that must never hear from us. */
const REFUSED_PORTS = new Set([
  1433, 1521, 2049, 2375, 2376, 2379, 2380, 3306, 5432, 5672, 5984, 6379, 6443, 8500, 9042, 9200, 9300, 10250, 11211,
  15672, 27017,
])

/** Passes where the uri is one that deliveries may be sent to. */
export function requireReceiver(uri: string, rules: AddressRules): void {
  const url = parse(uri)
  const kind = classifyHost(url.hostname)
  if (isOwn(url, kind === 'loopback', rules)) throw addressNotAllowed('must not be an address of this service.')
  if (kind === 'loopback' && rules.allowInsecure) return
  if (url.protocol !== 'https:') throw addressNotAllowed('must start with https://.')
  if (kind !== 'public' && !makeAddressRule({ allow: rules.allow ?? [], allowLoopback: false }).mayName(url.hostname)) {
    throw addressNotAllowed('must name a host of the public internet, not a private, local or reserved one.')
  }
  requirePort(url)
}

function parse(uri: string): URL {
  // The parser drops line breaks and reads \ as /, so that what a person checks is not what is called.
  if (/[\u0000-\u0020\u007f\\]/.test(uri)) throw addressNotAllowed('must not have spaces, line breaks or backslashes.')
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) {
    throw addressNotAllowed('must be an address that starts with https://.')
  }
  if (uri.includes('#')) throw addressNotAllowed('must not have a fragment.')
  if (/^[a-z]+:\/*[^/?]*@/i.test(uri)) {
    throw addressNotAllowed('must not hold a user name or password; send them in headers.')
  }
  return url
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

function requirePort(url: URL): void {
  const port = portOf(url)
  if (port !== 443 && (port < 1024 || REFUSED_PORTS.has(port))) {
    throw addressNotAllowed(`must use port 443 or one above 1023 that no other protocol is known for, not ${port}.`)
  }
}

function isOwn(url: URL, isLoopback: boolean, { publicUrl, ownPort }: AddressRules): boolean {
  if (isLoopback) return portOf(url) === ownPort
  return publicUrl !== undefined && bareHost(new URL(publicUrl)) === bareHost(url)
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/\.+$/, '')
}
