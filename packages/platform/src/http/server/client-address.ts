import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { invalidParameters } from '../../errors.ts'

/**
 * The address of the person behind a request. Servers call with a secret key for many people, so they may name one in
 * `X-Client-IP`; from anybody else the header means nothing.
 * @throws ApiError 400 where a secret key names what is no address
 */
export function clientAddress(request: FastifyRequest): string {
  const named = request.headers['x-client-ip']
  if (named === undefined || request.key?.type !== 'secret') return request.ip
  if (typeof named === 'string' && isIP(named) !== 0) return named
  throw invalidParameters([{ field: 'X-Client-IP', rule: 'format', message: 'must be an IP address' }])
}

/** The bits of an IPv6 address that identify a subscriber, who can use all addresses below them. */
const SUBSCRIBER_BITS = 64

/** The unit that a limit by address counts: an IPv4 address, or the /64 of an IPv6 address. */
export function subscriberOf(address: string): string {
  if (isIP(address) !== 6) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${SUBSCRIBER_BITS}`)}/${SUBSCRIBER_BITS}`
}

/** The address that a request names. If it is no valid address, the connection's address together with the error. */
export function readClientAddress(request: FastifyRequest): { address: string; fault?: unknown } {
  try {
    return { address: clientAddress(request) }
  } catch (fault) {
    return { address: request.ip, fault }
  }
}
