import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { defineQuery, deriveQuery, mapAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { forbidden, notFound } from '#platform/errors.ts'
import { credentialOf, seesOwn } from '#platform/http/viewer.ts'
import { findBillingSettings } from '../settings/queries.ts'
import type { MemberAct } from '../settings/settings.ts'
import { getSubscription } from './queries.ts'
import { noPlan } from './service.ts'

// What members do with their own token. Keys may do everything.

/** The subscription of a path. With a token another member's is as good as missing. @throws ApiError 404 */
export const getOwn = deriveQuery(({ request, id }: { request: FastifyRequest; id: string }) =>
  mapAnswer(getSubscription({ id }), (row) => {
    if (!seesOwn(credentialOf(request), row.member_id)) throw notFound('Subscription')
    return row
  }),
)

const WHAT: Readonly<Record<MemberAct, string>> = {
  subscribe: 'start a subscription',
  change: 'change the plan of a subscription',
  cancel: 'cancel or resume a subscription',
  pause: 'pause a subscription',
  change_payment_method: 'change the card of a subscription',
}

/** Lets a member do what the project's `member_may` has. @param acts one of them is enough @throws ApiError 403 */
export async function assertMemberMay(ctx: Context, ...acts: [MemberAct, ...MemberAct[]]): Promise<void> {
  if (ctx.actor.kind !== 'member') return
  const { member_may } = await findBillingSettings(ctx)
  if (!acts.some((act) => member_may.includes(act)))
    throw forbidden(`Members of this project may not ${WHAT[acts[0]]}: ask the operator of the site`)
}

const findOpen = defineQuery('is_plan_open_to_member', (v: { plan: string; member: string }) =>
  query
    .selectFrom('plans as p')
    .select(
      sql<boolean>`p.visibility = 'public' or exists (select from members m where m.id = ${v.member} and m.plan_id = p.id)
        or exists (select from subscriptions s where s.member_id = ${v.member} and s.plan_id = p.id
          and s.status <> 'canceled')`.as('is_open'),
    )
    .where('p.id', '=', v.plan),
).first()

/**
 * Lets a member take public plans, and the one that the member has.
 * @throws ApiError 422 for a hidden plan, as for one that does not exist
 */
export async function assertMemberMayTake(
  ctx: Context,
  member: string,
  plan: string | undefined,
): Promise<void> {
  if (ctx.actor.kind !== 'member' || plan === undefined) return
  const found = await findOpen(ctx, { plan, member })
  if (found?.is_open !== true) throw noPlan()
}
