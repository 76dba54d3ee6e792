import ipaddr from 'ipaddr.js'

/** What outbound connections may reach in addition to the public internet. */
export interface OutboundRules {
  /** Addresses and CIDR ranges, to which plain http is allowed too: the receivers of an installation's own network. */
  readonly ALLOW_PRIVATE_NETWORKS: readonly string[]
}

/** The range of globally routable IPv6 addresses: 2000::/3. */
const GLOBAL_IPV6 = { address: ipaddr.IPv6.parse('2000::'), bits: 3 }

/** NAT64's well-known prefix (RFC 6052), which carries an IPv4 address in its last 32 bits. */
const NAT64 = { address: ipaddr.IPv6.parse('64:ff9b::'), bits: 96 }

/** 6to4 (RFC 3056), which carries an IPv4 address behind its first 16 bits. */
const SIX_TO_FOUR = { address: ipaddr.IPv6.parse('2002::'), bits: 16 }

/** Whether an address belongs to a network that the operator allows. A text that is no address belongs to none. */
export function isAllowedNetwork(address: string, { ALLOW_PRIVATE_NETWORKS }: OutboundRules): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return ALLOW_PRIVATE_NETWORKS.some((network) => {
    const [base = '', bits = parsed.kind() === 'ipv6' ? 128 : 32] = network.split('/')
    const first = ipaddr.process(base)
    return first.kind() === parsed.kind() && parsed.match(first, Number(bits))
  })
}

/** Whether `localhost` is in a network that the operator allows. */
export const allowsLoopback = (rules: OutboundRules): boolean =>
  isAllowedNetwork('127.0.0.1', rules) || isAllowedNetwork('::1', rules)

/**
 * Whether a connection to an address is allowed: the operator allows its network, or the address is globally routable,
 * and so is an IPv4 address inside it (mapped, NAT64, 6to4). A text that is no address is not allowed.
 * @param address an IPv4 or IPv6 address without brackets
 */
export function isReachable(address: string, rules: OutboundRules): boolean {
  if (!ipaddr.isValid(address)) return false
  if (isAllowedNetwork(address, rules)) return true
  // The library turns ::ffff:a.b.c.d into a.b.c.d.
  const parsed = ipaddr.process(address)
  const range = parsed.range()
  if (parsed instanceof ipaddr.IPv4) return range === 'unicast'
  const carried = carriedIpv4(parsed)
  if (carried) return carried.range() === 'unicast'
  return range === 'unicast' && parsed.match(GLOBAL_IPV6.address, GLOBAL_IPV6.bits)
}

function carriedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray()
  if (address.match(NAT64.address, NAT64.bits)) return new ipaddr.IPv4(bytes.slice(12))
  if (address.match(SIX_TO_FOUR.address, SIX_TO_FOUR.bits)) return new ipaddr.IPv4(bytes.slice(2, 6))
  return undefined
}
