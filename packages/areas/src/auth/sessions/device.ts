import type { FastifyRequest } from 'fastify'
import { clientAddress } from '#platform/http/server/client-address.ts'

/** Where somebody comes from. */
export interface Device {
  readonly ip: string
  readonly userAgent: string | null
}

const USER_AGENT_LENGTH = 512

/** The device behind a request. */
export function deviceOf(request: FastifyRequest): Device {
  const userAgent = request.headers['user-agent']
  return { ip: clientAddress(request), userAgent: userAgent?.slice(0, USER_AGENT_LENGTH) ?? null }
}
