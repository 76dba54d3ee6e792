import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { type CountryResponse, Reader } from 'mmdb-lib'
import type { Config } from '#platform/config.ts'
import { ConfigError } from '#platform/parse-config.ts'

/** Where visitors are: two letters of ISO 3166, or null where nobody says it who can be believed. */
export interface Countries {
  /** The country of an address, by the database of GEOIP_DATABASE. */
  ofAddress(address: string): string | null
  /** The country of whoever sends a request, as a trusted proxy says it in the header that COUNTRY_HEADER names. */
  ofRequest(request: FastifyRequest): string | null
}

type Settings = Pick<Config, 'COUNTRY_HEADER' | 'GEOIP_DATABASE' | 'TRUST_PROXY'>

/** @throws ConfigError for a database that cannot be read, or is none */
export const makeCountries = (config: Settings): Countries => ({
  ofAddress: config.GEOIP_DATABASE === undefined ? () => null : byDatabase(config.GEOIP_DATABASE),
  ofRequest: byHeader(config),
})

function byHeader({ COUNTRY_HEADER, TRUST_PROXY }: Settings): Countries['ofRequest'] {
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
    return countryIn(request.headers[header])
  }
}

/** What is read of a record: MaxMind and DB-IP put it under `country`, others beside the rest. */
type CountryRecord = CountryResponse & { readonly country_code?: string }

/** The whole file is kept in memory; a new one is read at the next start. */
function byDatabase(path: string): Countries['ofAddress'] {
  const database = open(path)
  const isOfVersion4 = database.metadata.ipVersion === 4
  return (address) => {
    if (!ipaddr.isValid(address)) return null
    // An IPv4 address that is written as one of IPv6 is the IPv4 address.
    const parsed = ipaddr.process(address)
    if (isOfVersion4 && parsed.kind() === 'ipv6') return null
    try {
      const record = database.get(parsed.toString())
      return countryIn(record?.country?.iso_code ?? record?.country_code)
    } catch {
      // A damaged record costs the country, and never the event.
      return null
    }
  }
}

function open(path: string): Reader<CountryRecord> {
  const refused = (why: string, cause: unknown) =>
    new ConfigError(
      `GEOIP_DATABASE is ${JSON.stringify(path)}: expected the path of an MMDB file, but ${why}`,
      {
        cause,
      },
    )
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw refused(`it cannot be read (${(error as NodeJS.ErrnoException).code})`, error)
  }
  try {
    const database = new Reader<CountryRecord>(bytes)
    // A file that was cut off or is something else fails at one of these.
    for (const address of ['0.0.0.0', '127.0.0.1', '255.255.255.255']) database.get(address)
    return database
  } catch (error) {
    throw refused('its content is not a database of that format', error)
  }
}

/** XX and T1 are what proxies say of addresses that are nowhere. */
const countryIn = (given: unknown): string | null =>
  typeof given === 'string' && /^[A-Za-z]{2}$/.test(given) && !/^xx$/i.test(given)
    ? given.toUpperCase()
    : null
