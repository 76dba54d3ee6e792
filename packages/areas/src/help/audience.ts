import type { FastifyRequest } from 'fastify'
import { answering, deriveQuery, mapAnswer } from '#platform/db/query.ts'
import type { Ask } from '#platform/db/statement.ts'
import { actingMember, whoMayAct } from '#platform/http/acting-member.ts'
import { callerOf } from '#platform/http/server/authenticate.ts'

// Who may read what of the help center. Nothing else in this area decides it.

/** Somebody who reads. */
export interface Reader {
  /**
   * What the reader belongs to, as app.help_audience makes it of the visibility and the plans of articles. Null reads
   * everything: drafts, versions, archived and internal articles too.
   */
  readonly audiences: readonly string[] | null
}

/** A secret key: it works on articles, and sees everything. */
export const EDITOR: Reader = { audiences: null }
const VISITOR: Reader = { audiences: ['public'] }

/**
 * Who reads. A member is looked up, because the plan counts as it is now; for keys nothing is asked.
 * @throws ApiError 401 for an inactive member’s token; 403 where a pending one writes
 */
export const readerOf = deriveQuery((request: FastifyRequest): Ask<Reader> => {
  const { kind } = callerOf(request).actor
  if (kind !== 'member') return answering(kind === 'public_key' ? VISITOR : EDITOR)
  const who = whoMayAct(request, { field: 'X-User-ID', id: undefined })
  return mapAnswer(actingMember(who), (member) => ({
    audiences: ['public', 'members', ...(member === undefined ? [] : [`plan:${member.planId}`])],
  }))
})

export const seesEverything = ({ audiences }: Reader): boolean => audiences === null
