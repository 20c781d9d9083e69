import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The hosts that may be reached although private: ALLOW_PRIVATE_NETWORK, read once. */
export interface AllowedPlaces {
  hasName(host: string): boolean
  hasAddress(address: string): boolean
}

/** Lower case, without the dot that may end a full name and the brackets of an IPv6 address. */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

/** IPv4 through a translator at the edge of an IPv6 network. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** All of IPv6 that is given out for the internet. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** Public by its number, yet it serves the metadata of a cloud's machines. */
const cloudMetadata = '168.63.129.16'

/** An address as what it reaches: an IPv4 one that is written as IPv6 (mapped, or through NAT64) is that IPv4 one. */
function reached(text: string): Address {
  const address = ipaddr.parse(text)
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  if (address.match(nat64)) return ipaddr.fromByteArray(address.toByteArray().slice(-4))
  return address
}

/** Whether an address is one of this machine's own. */
export const isLoopback = (text: string): boolean => ipaddr.isValid(text) && reached(text).range() === 'loopback'

/** The part of an IPv6 address that one customer of a network is given: the rest changes at will. */
const customerBits = 64

/**
 * One text for each place that an address stands for, for counting: an IPv4 address written as IPv6 is the IPv4 one,
 * loopback is loopback in every form, and an IPv6 address counts by its /64 network. Undefined for what is no address.
 */
export function canonicalAddress(text: string): string | undefined {
  if (!ipaddr.isValid(text)) return undefined
  const address = reached(text)
  if (address.range() === 'loopback') return '127.0.0.1'
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${customerBits}`).toString()
}

/** Whether a text is an address rather than a name, in the form that URL gives hosts. */
export const isAddress = (host: string): boolean => ipaddr.isValid(plainHost(host))

/** Whether an address is one of the public internet: no private, loopback, link-local or other special range. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = reached(text)
  if (address.range() !== 'unicast' || address.toString() === cloudMetadata) return false
  return !(address instanceof ipaddr.IPv6) || address.match(globalIpv6)
}

/** Reads a list of host names, addresses and CIDR blocks; `src/env.ts` has checked their form. */
export function allowedPlaces(list: readonly string[]): AllowedPlaces {
  const names = new Set<string>()
  const blocks: [Address, number][] = []
  for (const place of list.map(plainHost)) {
    if (ipaddr.isValidCIDR(place)) blocks.push(ipaddr.parseCIDR(place))
    else if (ipaddr.isValid(place)) blocks.push(wholeAddress(reached(place)))
    else names.add(place)
  }
  return {
    hasName: (host) => names.has(plainHost(host)),
    hasAddress(text) {
      if (!ipaddr.isValid(text)) return false
      const address = reached(text)
      return blocks.some(([block, bits]) => block.kind() === address.kind() && address.match([block, bits]))
    },
  }
}

const wholeAddress = (address: Address): [Address, number] => [address, address.kind() === 'ipv4' ? 32 : 128]
