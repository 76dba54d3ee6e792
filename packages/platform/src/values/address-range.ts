import { isIP } from 'node:net'

/** True for an IP address or a CIDR range: `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  return (
    family > 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32)))
  )
}

/** Bits of the widest ranges that one network has: 10.0.0.0/8 and fc00::/7. */
const LEAST_BITS = { 4: 8, 6: 7 }

/** Whether a range is wider than any private network, as the two halves of all addresses are. */
export function isTooWide(range: string): boolean {
  const [address = '', bits] = range.split('/')
  return bits !== undefined && Number(bits) < LEAST_BITS[isIP(address) === 6 ? 6 : 4]
}
