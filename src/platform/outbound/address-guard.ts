// Where the service may connect to on a caller's word. Only addresses of the public internet are `public`; everything
// that could be a neighbour of ours is not, in whatever form it is written. Names are judged by what they promise: the
// address that one resolves to must be judged again, by the same rule, when it is connected to.
import { BlockList, isIP, isIPv4 } from 'node:net'

export type AddressKind = 'public' | 'loopback' | 'refused'

type Range = readonly [address: string, prefix: number]

// IANA special-purpose registries (RFC 6890 and its successors), and what clouds use for their metadata.
const NOT_PUBLIC_IPV4: readonly Range[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carriers' NAT; also metadata of Alibaba Cloud
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local; also metadata of most clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments; also metadata of Oracle Cloud
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
]

/** RFC 4291 2.4: all that has been given out of the global unicast space. Whatever lies outside of it is refused. */
const GLOBAL_UNICAST: Range = ['2000::', 3]

const NOT_PUBLIC_IPV6: readonly Range[] = [
  ['2001::', 23], // protocol assignments, among them Teredo, which hides an IPv4 address
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which hides an IPv4 address
  ['3fff::', 20], // documentation
]

const notPublicIpv4 = blockList(NOT_PUBLIC_IPV4, 'ipv4')
const loopbackIpv4 = blockList([['127.0.0.0', 8]], 'ipv4')
const globalUnicast = blockList([GLOBAL_UNICAST], 'ipv6')
const notPublicIpv6 = blockList(NOT_PUBLIC_IPV6, 'ipv6')

function blockList(ranges: readonly Range[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, family)
  return list
}

/** What kind of address this is. Anything that is no address at all is refused. */
export function classifyAddress(address: string): AddressKind {
  if (isIPv4(address)) return classifyIpv4(address)
  // A zone ("fe80::1%eth0") names an interface of this machine.
  if (isIP(address) === 6 && !address.includes('%')) return classifyIpv6(address)
  return 'refused'
}

function classifyIpv4(address: string): AddressKind {
  if (loopbackIpv4.check(address, 'ipv4')) return 'loopback'
  return notPublicIpv4.check(address, 'ipv4') ? 'refused' : 'public'
}

function classifyIpv6(address: string): AddressKind {
  const groups = readGroups(address)
  const upper = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':')
  const embedded = writeIpv4(groups[6]!, groups[7]!)
  if (upper === '0:0:0:0:0:ffff') return classifyIpv4(embedded) // IPv4-mapped: the same address, written otherwise
  if (upper === '0:0:0:0:0:0' && groups[6] === 0 && groups[7] === 1) return 'loopback'
  // RFC 6052 2.1: through NAT64 a machine without IPv4 reaches public IPv4 addresses; its own neighbours too.
  if (upper === '64:ff9b:0:0:0:0') return classifyIpv4(embedded) === 'public' ? 'public' : 'refused'
  return globalUnicast.check(address, 'ipv6') && !notPublicIpv6.check(address, 'ipv6') ? 'public' : 'refused'
}

/** The eight groups of a valid IPv6 address, with "::" and a dotted end written out. */
function readGroups(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const hex = dotted ? `${dotted[1]}${pair(dotted[2]!, dotted[3]!)}:${pair(dotted[4]!, dotted[5]!)}` : address
  const [head = '', tail] = hex.split('::')
  const before = splitGroups(head)
  const after = splitGroups(tail ?? '')
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: missing }, () => 0), ...after]
}

function splitGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}

function pair(high: string, low: string): string {
  return (Number(high) * 256 + Number(low)).toString(16)
}

function writeIpv4(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Names that stand for this machine (RFC 6761 6.3). */
const LOOPBACK_NAMES = ['localhost']

/** Names that are resolved inside a network only, and services that answer with whatever address a name contains. */
const REFUSED_NAMES = [
  'local',
  'internal',
  'localdomain',
  'intranet',
  'lan',
  'home.arpa',
  'svc',
  'nip.io',
  'sslip.io',
  'xip.io',
  'localtest.me',
  'lvh.me',
]

/** The same for a host as `URL.hostname` has it: an address, an IPv6 address in brackets, or a name. */
export function classifyHost(hostname: string): AddressKind {
  const host = hostname.replace(/\.+$/, '').toLowerCase()
  if (host.startsWith('[')) return classifyAddress(host.slice(1, -1))
  if (isIP(host) !== 0) return classifyAddress(host)
  if (isNamedBy(host, LOOPBACK_NAMES)) return 'loopback'
  // A name without a dot is looked up among the neighbours: containers, pods, the machines of an office.
  return !host.includes('.') || isNamedBy(host, REFUSED_NAMES) ? 'refused' : 'public'
}

function isNamedBy(host: string, names: readonly string[]): boolean {
  return names.some((name) => host === name || host.endsWith(`.${name}`))
}
