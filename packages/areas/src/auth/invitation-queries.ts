import { sql } from 'kysely'
import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { ApiError, invalidField } from '#platform/errors.ts'
import { offsetOf } from '#platform/http/page.ts'
import type { InvitationQuery, InvitationStatus } from './invitation-schema.ts'

const columns = [
  'id',
  'email',
  'role',
  'full_name',
  'plan_id',
  'member_id',
  'redirect_url',
  'created_at',
  'expires_at',
  'sent_at',
  'accepted_at',
  'revoked_at',
] as const

/** Nobody has to note that time has passed. */
const shownStatus =
  sql<InvitationStatus>`case when status = 'pending' and expires_at <= now() then 'expired' else status end`.as(
    'status',
  )

const CONSTRAINTS = {
  invitations_pending_key: (cause: unknown) =>
    new ApiError(422, 'INVITATION_PENDING', 'This address is invited already; resend or revoke that one', {
      details: [{ field: 'email', rule: 'unique', message: 'is invited already' }],
      cause,
    }),
  invitations_project_id_plan_id_fkey: (cause: unknown) =>
    invalidField('plan_id', 'exists', 'is not a plan of this project', cause),
}

export interface NewInvitationRow {
  id: string
  email: string
  role: string
  full_name: string
  plan_id: string | null
  member_id: string | null
  redirect_url: string | null
  days: number
}

const insert = statement(
  'insert_invitation',
  (v: NewInvitationRow) =>
    query
      .insertInto('invitations')
      .values({
        id: v.id,
        email: v.email,
        role: v.role,
        full_name: v.full_name,
        plan_id: v.plan_id,
        member_id: v.member_id,
        redirect_url: v.redirect_url,
        expires_at: sql`now() + make_interval(days => ${v.days})`,
      })
      .returning([...columns, shownStatus]),
  CONSTRAINTS,
)
/** @throws ApiError 422 INVITATION_PENDING, or VALIDATION_ERROR for a plan that there is not */
export const insertInvitation = (ctx: Context, row: NewInvitationRow) => ctx.tx.inserted(insert, row)

const withStatus = (status: InvitationStatus | undefined) => {
  const rows = query.selectFrom('invitations')
  switch (status) {
    case undefined:
      return rows
    case 'pending':
      return rows.where('status', '=', 'pending').where('expires_at', '>', sql<string>`now()`)
    case 'expired':
      return rows.where('status', '=', 'pending').where('expires_at', '<=', sql<string>`now()`)
    default:
      return rows.where('status', '=', status)
  }
}
type Variant = Pick<InvitationQuery, 'status'>

const page = statements(
  'invitations_page',
  ({ status }: Variant) =>
    (v: { limit: number; offset: number }) =>
      withStatus(status)
        .select([...columns, shownStatus])
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(v.limit)
        .offset(v.offset),
)
const total = statements(
  'invitations_total',
  ({ status }: Variant) =>
    () =>
      withStatus(status).select(sql<number>`count(*)`.as('total')),
)

/** One page of invitations, the newest first, and how many there are in all. */
export function listInvitations(ctx: Context, filter: InvitationQuery) {
  const variant = filter.status === undefined ? {} : { status: filter.status }
  return ctx.tx
    .all(page(variant), { limit: filter.limit, offset: offsetOf(filter) })
    .and(ctx.tx.inserted(total(variant), {}))
    .map(([invitations, { total }]) => ({ invitations, total }))
}

const revoke = statement('revoke_invitation', (v: { id: string }) =>
  query
    .updateTable('invitations')
    .set({ status: 'revoked', revoked_at: sql`now()`, token_hash: null })
    .where('id', '=', v.id)
    .where('status', '=', 'pending')
    .returning([...columns, shownStatus]),
)
/** @throws ApiError 404 where it is not pending */
export const revokeInvitation = (ctx: Context, id: string) => ctx.tx.one(revoke, { id }, 'Pending invitation')

const renew = statement('renew_invitation', (v: { id: string }) =>
  query
    .updateTable('invitations')
    // For as long again as the first time.
    .set({ created_at: sql`now()`, expires_at: sql`now() + (expires_at - created_at)`, token_hash: null })
    .where('id', '=', v.id)
    .where('status', '=', 'pending')
    .returning([...columns, shownStatus]),
)
/** Lets an invitation last as long again; its old link dies. @throws ApiError 404 where it is not pending */
export const renewInvitation = (ctx: Context, id: string) => ctx.tx.one(renew, { id }, 'Pending invitation')

const arm = statement('arm_invitation', (v: { id: string; hash: Buffer }) =>
  query
    .updateTable('invitations')
    .set({ token_hash: v.hash, sent_at: sql`now()` })
    .where('id', '=', v.id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', sql<string>`now()`)
    .returning(['email', 'full_name', 'expires_at']),
)
/** Gives an invitation its link. @returns undefined where it is not open any more */
export const armInvitation = (ctx: Context, id: string, hash: Buffer) => ctx.tx.first(arm, { id, hash })

const open = (v: { hash: Buffer }) =>
  sql<boolean>`token_hash = ${v.hash} and status = 'pending' and expires_at > now()`

const look = statement('look_at_invitation', (v: { hash: Buffer }) =>
  query
    .selectFrom('invitations')
    .select([...columns, shownStatus])
    .where(open(v)),
)
/** What a link invites to, without accepting it; or undefined. */
export const lookAtInvitation = (ctx: Context, hash: Buffer) => ctx.tx.first(look, { hash })

const take = statement('take_invitation', (v: { hash: Buffer }) =>
  query
    .updateTable('invitations as i')
    .set({ status: 'accepted', accepted_at: sql`now()`, token_hash: null })
    .where(open(v))
    .returning(['i.id', 'i.email', 'i.role', 'i.full_name', 'i.member_id', 'i.redirect_url'])
    .returning((row) =>
      row
        .selectFrom('plans as p')
        .select('p.id')
        .whereRef('p.id', '=', 'i.plan_id')
        // Who was invited to a plan that has been archived since gets the default one.
        .where('p.status', '=', 'active')
        .as('plan_id'),
    ),
)
/** Accepts an invitation: of any number at the same moment one does. */
export const takeInvitation = (ctx: Context, hash: Buffer) => ctx.tx.first(take, { hash })

const settle = statement('settle_invitation', (v: { id: string; memberId: string }) =>
  query
    .updateTable('invitations')
    .set({ member_id: v.memberId })
    .where('id', '=', v.id)
    .returning([...columns, shownStatus]),
)
/** Notes who accepted. */
export const settleInvitation = (ctx: Context, id: string, memberId: string) =>
  ctx.tx.inserted(settle, { id, memberId })
