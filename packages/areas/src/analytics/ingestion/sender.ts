import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { callerOf } from '#platform/http/caller.ts'
import { clientAddress } from '#platform/http/server/client-address.ts'
import { credentialOf } from '#platform/http/viewer.ts'
import { type Agent, readUserAgent } from '../visitors/user-agent.ts'

/** Who sends events, as far as the request says it. */
export interface Sender {
  readonly kind: 'server' | 'browser'
  readonly projectId: string
  /** The member whose token the request shows. */
  readonly memberId: string | undefined
  /** With a public key nobody can be named. */
  readonly mayName: boolean
  readonly keyId: string
  /** Of the visitor; undefined where a server did not send it. */
  readonly address: string | undefined
  readonly userAgent: string | undefined
  /** As a trusted proxy says it; null for a server, whose own country it would be. */
  readonly country: string | null
  /** The browser asks not to be tracked. */
  readonly asksNotToBeTracked: boolean
}

/** @param country what a trusted proxy says of the address */
export function senderOf(request: FastifyRequest, country: string | null): Sender {
  const { projectId } = callerOf(request)
  const { isKey: isServer, memberId } = credentialOf(request)
  const { headers } = request
  return {
    kind: isServer ? 'server' : 'browser',
    projectId,
    memberId: memberId ?? undefined,
    mayName: isServer,
    keyId: request.key?.id ?? '',
    address: isServer && headers['x-client-ip'] === undefined ? undefined : clientAddress(request),
    userAgent: isServer ? undefined : (headers['user-agent'] ?? ''),
    country: isServer ? null : country,
    asksNotToBeTracked: !isServer && (headers.dnt === '1' || headers['sec-gpc'] === '1'),
  }
}

/** What tells a visitor of a day apart, and what its user agent says. */
export interface Visitor {
  readonly who: string
  readonly agent: Agent
  readonly address: string | undefined
}

const UNKNOWN_AGENT: Agent = { bot: false, device: null, browser: null, os: null }

/**
 * The visitor behind an event. Where a server says neither address nor user agent of it, the member or the session that it
 * names tells visitors apart, and otherwise all are one.
 */
export function visitorBehind(
  sender: Sender,
  item: {
    readonly ip?: string | undefined
    readonly user_agent?: string | undefined
    readonly session_id?: string | undefined
    readonly user_id?: string | undefined
  },
): Visitor {
  const address = item.ip ?? sender.address
  const userAgent = item.user_agent ?? sender.userAgent
  const agent = userAgent === undefined ? UNKNOWN_AGENT : readUserAgent(userAgent)
  if (address !== undefined || userAgent !== undefined)
    return { who: `${address ?? ''}\n${userAgent ?? ''}`, agent, address }
  const { user_id, session_id } = item
  if (user_id !== undefined) return { who: `member ${user_id}`, agent, address }
  return { who: session_id === undefined ? `key ${sender.keyId}` : `session ${session_id}`, agent, address }
}

export const isAddress = (text: string): boolean => isIP(text) !== 0
