import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#platform/config.ts'

/**
 * Answers where a request comes from, as a trusted proxy says it in the header that COUNTRY_HEADER names; null where
 * nobody says it who can be believed.
 */
export function makeCountryOf({
  COUNTRY_HEADER,
  TRUST_PROXY,
}: Pick<Config, 'COUNTRY_HEADER' | 'TRUST_PROXY'>): (request: FastifyRequest) => string | null {
  const header = COUNTRY_HEADER?.toLowerCase()
  if (header === undefined || TRUST_PROXY.length === 0) return () => null
  const trusted = new BlockList()
  for (const range of TRUST_PROXY) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  return (request) => {
    const { remoteAddress = '' } = request.socket
    if (!trusted.check(remoteAddress, isIP(remoteAddress) === 6 ? 'ipv6' : 'ipv4')) return null
    const said = request.headers[header]
    // XX and T1 are what proxies say of addresses that are nowhere.
    return typeof said === 'string' && /^[A-Za-z]{2}$/.test(said) && !/^xx$/i.test(said)
      ? said.toUpperCase()
      : null
  }
}
