import { hashToken, newLinkToken, projectOfToken } from '#areas/auth/service.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import { invalidToken } from '#platform/errors.ts'
import { newUuid } from '#platform/ids.ts'
import type { Listener } from '../hub/standing.ts'
import { findTicket, insertTicket, takeTicket } from '../queries.ts'
import type { Ticket } from '../schema.ts'

/** For how long a ticket opens a stream. */
export const TICKET_SECONDS = 60

/** Makes a ticket; only its hash is kept. */
export async function makeTicket(
  ctx: Context,
  { memberId, sessionId, keyId, operator }: Listener,
  topics: readonly string[],
): Promise<Ticket> {
  const ticket = newLinkToken(ctx.projectId)
  const { expires_at } = await insertTicket(ctx, {
    id: newUuid(),
    hash: hashToken(ticket),
    member_id: memberId,
    session_id: sessionId,
    key_id: keyId,
    operator: operator && JSON.stringify(operator),
    topics,
    seconds: TICKET_SECONDS,
  })
  return { ticket, expires_at }
}

/** A ticket that can be used. */
export interface FoundTicket {
  readonly listener: Listener
  readonly topics: readonly string[]
  /** Uses it up. @throws ApiError 401 where somebody else was quicker */
  take(): Promise<void>
}

/**
 * Whose ticket it is, and for what.
 * @param dataOf the data of a project
 * @throws ApiError 401 for one that is unknown, was used or has expired
 */
export async function readTicket(
  ticket: string,
  dataOf: (projectId: string) => ProjectData,
): Promise<FoundTicket> {
  const projectId = projectOfToken(ticket)
  if (projectId === undefined) throw invalidToken('unknown_token', UNKNOWN)
  const data = dataOf(projectId)
  const hash = hashToken(ticket)
  const { found } = await data.read({ found: findTicket({ hash }) })
  if (found === undefined) throw invalidToken('unknown_token', UNKNOWN)
  if (found.used_at !== null) throw invalidToken('reused', USED)
  if (found.is_expired) throw invalidToken('expired_token', EXPIRED)
  const { member_id: memberId, session_id: sessionId, key_id: keyId, operator, topics } = found
  return {
    listener: { projectId, memberId, sessionId, keyId, operator },
    topics,
    take: async () => {
      if ((await data.write(takeTicket({ hash }))) === undefined) throw invalidToken('reused', USED)
    },
  }
}

const AGAIN = 'get a new one with POST /stream/tickets'
const UNKNOWN = `This ticket is unknown: check that you sent all of it, or ${AGAIN}`
const USED = `This ticket was used before, and a ticket opens one stream: ${AGAIN}`
const EXPIRED = `This ticket has expired, ${TICKET_SECONDS} s after it was made: ${AGAIN}`
