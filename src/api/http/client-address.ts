import { type AllowedPlaces, canonicalAddress, isAddress, isLoopback } from '../../outgoing/places.ts'
import { boundedCache } from '../../runtime/bounded-cache.ts'

/** More hops than any sound chain of proxies has. */
const maxHops = 20

/** An entry of `X-Forwarded-For` without the port that some proxies add; undefined for what is no address. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1]
  const withPort = /^([\d.]+):\d+$/.exec(text)?.[1]
  const address = bracketed ?? withPort ?? text
  return isAddress(address) ? address : undefined
}

const loopbacks = ['127.0.0.1', '::1']

const cacheBytes = 1_000_000

/** What addresses are written as: most requests come from one that was seen before. */
const canonical = boundedCache<string, string>(cacheBytes, (address) => 2 * address.length)

function canonicalOf(address: string): string {
  const known = canonical.get(address)
  if (known !== undefined) return known
  const one = canonicalAddress(address) ?? address
  canonical.set(address, one)
  return one
}

/** Loopback is the same place in each of its forms. */
const isTrusted = (trusted: AllowedPlaces, address: string): boolean =>
  trusted.hasAddress(address) || (isLoopback(address) && loopbacks.some((form) => trusted.hasAddress(form)))

/**
 * The address that a request comes from, in one form for each place: the peer, or, when that is a proxy of
 * TRUSTED_PROXIES, the last address of `X-Forwarded-For` that is none. What clients write in front of that is not read.
 * @param peer the other end of the connection
 */
export function clientAddress(trusted: AllowedPlaces, peer: string, forwarded: string | null): string {
  let address = peer
  const hops = forwarded?.split(',').slice(-maxHops) ?? []
  while (hops.length > 0 && isTrusted(trusted, address)) {
    const before = addressIn(hops.pop() ?? '')
    if (before === undefined) break
    address = before
  }
  return canonicalOf(address)
}
