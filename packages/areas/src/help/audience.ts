import type { FastifyRequest } from 'fastify'
import { lookup, query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { actingMember, whoMayAct } from '#platform/http/acting-member.ts'
import { callerOf } from '#platform/http/server/authenticate.ts'

// Who may read what of the help center. Nothing else in this area decides it.

/** Somebody who reads. */
export interface Reader {
  readonly memberId: string | null
  /** What the reader belongs to; null reads everything, drafts and internal articles too. */
  readonly audiences: readonly string[] | null
}

const EVERYTHING: Reader = { memberId: null, audiences: null }
const VISITOR: Reader = { memberId: null, audiences: ['public'] }

const planOf = lookup('plan_of_reader', (v: { id: string }) =>
  query.selectFrom('members').select('plan_id').where('id', '=', v.id),
)

/**
 * Does what `work` says for whoever reads. A member’s plan is looked up first; for keys, everything travels together.
 * Audiences of articles are what app.help_audience makes of their visibility and plans.
 * @throws ApiError 401 for an inactive member’s token; 403 where a pending one writes
 */
export function asReader<T>(
  ctx: Context,
  request: FastifyRequest,
  work: (reader: Reader) => PromiseLike<T>,
): PromiseLike<T> {
  const { actor } = callerOf(request)
  if (actor.kind !== 'member') return work(readerOf(request))
  const who = whoMayAct(request, { field: 'X-User-ID', id: undefined })
  return actingMember(ctx, who)
    .and(ctx.tx.first(planOf, { id: actor.id }))
    .then(([, row]) => {
      const plans = row === undefined ? [] : [`plan:${row.plan_id}`]
      return work({ memberId: actor.id, audiences: ['public', 'members', ...plans] })
    })
}

/** Whom a request is, as far as keys and others see different things; a member's plan is not looked up. */
export function readerOf(request: FastifyRequest): Reader {
  const { kind } = callerOf(request).actor
  return kind === 'member' || kind === 'public_key' ? VISITOR : EVERYTHING
}

/** Drafts, versions, archived and internal articles are for keys. */
export const seesEverything = ({ audiences }: Reader): boolean => audiences === null
