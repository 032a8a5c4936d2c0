// Which addresses may be connected to: the public internet, what the operator lists of the networks beside us, and for
// development this machine itself.
import { BlockList, isIP, isIPv4 } from 'node:net'
import { classifyAddress, classifyHost } from './address-guard.ts'

export type Network = { address: string; prefix: number; family: 'ipv4' | 'ipv6' }

export type AddressPolicy = {
  /** Networks in CIDR notation that are not public and may be reached all the same. */
  allow: readonly string[]
  /** Hosts that are this machine by their own name; never a public name that happens to resolve to it. */
  allowLoopback: boolean
}

/** Where clouds answer with a machine's own credentials, and what is no machine at all: no list opens these. */
const NEVER: readonly Network[] = [
  { address: '0.0.0.0', prefix: 8, family: 'ipv4' },
  { address: '127.0.0.0', prefix: 8, family: 'ipv4' },
  { address: '100.100.100.200', prefix: 32, family: 'ipv4' },
  { address: '169.254.0.0', prefix: 16, family: 'ipv4' },
  { address: '192.0.0.192', prefix: 32, family: 'ipv4' },
  { address: '224.0.0.0', prefix: 3, family: 'ipv4' },
  { address: '::', prefix: 96, family: 'ipv6' },
  { address: '::ffff:0:0', prefix: 96, family: 'ipv6' },
  { address: '64:ff9b::', prefix: 32, family: 'ipv6' },
  { address: '2001::', prefix: 32, family: 'ipv6' },
  { address: '2002::', prefix: 16, family: 'ipv6' },
  { address: 'fd00:ec2::254', prefix: 128, family: 'ipv6' },
  { address: 'fe80::', prefix: 10, family: 'ipv6' },
  { address: 'ff00::', prefix: 8, family: 'ipv6' },
]

// A list of IPv6 networks also matches IPv4 addresses, by their mapped form; so each family has its own.
const never = { ipv4: blockList(NEVER, 'ipv4'), ipv6: blockList(NEVER, 'ipv6') }

/** A network in CIDR notation; undefined for anything else. */
export function readNetwork(text: string): Network | undefined {
  const [, address = '', digits = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(text) ?? []
  const family = isIP(address)
  const prefix = Number(digits)
  if (family === 0 || prefix > (family === 4 ? 32 : 128)) return undefined
  return { address, prefix, family: family === 4 ? 'ipv4' : 'ipv6' }
}

export type AddressRule = {
  /** Whether this address may be connected to for this host. */
  mayConnect(address: string, host: string): boolean
  /** Whether a host, as `URL.hostname` has it, may be given at all. What a name resolves to is judged later. */
  mayName(hostname: string): boolean
}

/** The rule by which every connection is judged, on the address that is really connected to. */
export function makeAddressRule({ allow, allowLoopback }: AddressPolicy): AddressRule {
  const networks = allow.map(readNetwork).filter((network) => network !== undefined)
  const open = { ipv4: blockList(networks, 'ipv4'), ipv6: blockList(networks, 'ipv6') }
  const isListed = (address: string) => {
    if (isIP(address) === 0 || address.includes('%')) return false
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    return open[family].check(address, family) && !never[family].check(address, family)
  }
  return {
    mayConnect(address, host) {
      const kind = classifyAddress(address)
      if (kind === 'loopback') return allowLoopback && classifyHost(host) === 'loopback'
      return kind === 'public' || isListed(address)
    },
    mayName(hostname) {
      const kind = classifyHost(hostname)
      if (kind !== 'refused') return kind === 'public' || allowLoopback
      const host = hostname.replace(/^\[|\]$/g, '')
      // A name that only a local network knows makes sense where one is listed.
      return isIP(host) === 0 ? networks.length > 0 : isListed(host)
    },
  }
}

function blockList(networks: readonly Network[], family: Network['family']): BlockList {
  const list = new BlockList()
  for (const network of networks.filter((one) => one.family === family)) {
    list.addSubnet(network.address, network.prefix, family)
  }
  return list
}
