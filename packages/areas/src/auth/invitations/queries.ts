import { type Expression, type SqlBool, sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { choice } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { invitationPending } from '../errors.ts'
import { WRONG_CODES } from '../tokens/queries.ts'
import type { InvitationStatus } from './schema.ts'

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

/** Whether an invitation has expired is computed when it is read; nothing has to be written. */
const shownStatus =
  sql<InvitationStatus>`case when status = 'pending' and expires_at <= ${now} then 'expired' else status end`.as(
    'status',
  )

const CONSTRAINTS = {
  invitations_pending_key: invitationPending,
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
        created_at: now,
        expires_at: sql`${now} + make_interval(days => ${v.days})`,
      })
      .returning([...columns, shownStatus]),
  CONSTRAINTS,
)
/** @throws ApiError 422 INVITATION_PENDING, or VALIDATION_ERROR for a plan that there is not */
export const insertInvitationRow = (ctx: Context, row: NewInvitationRow) => ctx.tx.single(insert, row)

const STATUS: Readonly<Record<InvitationStatus, () => Expression<SqlBool>>> = {
  pending: () => sql`status = 'pending' and expires_at > ${now}`,
  expired: () => sql`status = 'pending' and expires_at <= ${now}`,
  accepted: () => sql`status = 'accepted'`,
  revoked: () => sql`status = 'revoked'`,
}

/** One page of invitations, the newest first, and how many there are in all. */
export const listInvitations = defineList({
  label: 'invitations',
  rows: () => query.selectFrom('invitations').select([...columns, shownStatus]),
  key: 'id',
  filters: { status: choice<InvitationStatus>((status) => STATUS[status]()) },
  sorts: { created_at: ['created_at', 'timestamptz'] },
})

const revoke = statement('revoke_invitation', (v: { id: string }) =>
  query
    .updateTable('invitations')
    .set({ status: 'revoked', revoked_at: now, token_hash: null, code_hash: null })
    .where('id', '=', v.id)
    .where('status', '=', 'pending')
    .returning([...columns, shownStatus]),
)
/** @throws ApiError 404 where it is not pending */
export const revokeInvitationRow = (ctx: Context, id: string) =>
  ctx.tx.one(revoke, { id }, 'DeferredResult invitation')

const revokeOf = statement('revoke_invitations_of_member', (v: { memberId: string; but: string | null }) =>
  query
    .updateTable('invitations')
    .set({ status: 'revoked', revoked_at: now, token_hash: null, code_hash: null })
    .where('member_id', '=', v.memberId)
    .where('status', '=', 'pending')
    .where(sql<boolean>`email_key is distinct from ${v.but}::text`)
    .returning([...columns, shownStatus]),
)
/**
 * Revokes the invitations that a member could still accept. @param but the address, in lower case, whose invitations
 * stay
 */
export const revokeInvitationRowsOf = (ctx: Context, memberId: string, but: string | null) =>
  ctx.tx.all(revokeOf, { memberId, but })

const renew = statement('renew_invitation', (v: { id: string }) =>
  query
    .updateTable('invitations')
    // It is valid for the same time again.
    .set({
      created_at: now,
      expires_at: sql`${now} + (expires_at - created_at)`,
      token_hash: null,
      code_hash: null,
    })
    .where('id', '=', v.id)
    .where('status', '=', 'pending')
    .returning([...columns, shownStatus]),
)
/**
 * Makes an invitation valid for its full time again; its old link and code stop working. @throws ApiError 404 where it
 * is not pending
 */
export const renewInvitation = (ctx: Context, id: string) =>
  ctx.tx.one(renew, { id }, 'DeferredResult invitation')

interface Arms {
  id: string
  tokenHash: Buffer
  codeHash: Buffer
}
const arm = statement('arm_invitation', (v: Arms) =>
  query
    .updateTable('invitations')
    .set({ token_hash: v.tokenHash, code_hash: v.codeHash, code_attempts: 0, sent_at: now })
    .where('id', '=', v.id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .returning(['email', 'full_name', 'expires_at']),
)
/** Gives an invitation its link and code. @returns undefined where it is not open any more */
export const armInvitation = (ctx: Context, arms: Arms) => ctx.tx.first(arm, arms)

/**
 * Invitations that can still be accepted. An invitation of an existing member is valid while the address is theirs and
 * they have never logged in. After that it would work like a password reset that is valid for days.
 */
const isOpen = sql<boolean>`(invitations.status = 'pending' and invitations.expires_at > ${now}
  and (invitations.member_id is null or exists (select from members as m
    where m.id = invitations.member_id and m.email_key = invitations.email_key and m.deleted_at is null
      and m.last_login_at is null and not exists (select from member_passwords as p where p.id = m.id))))`

const look = statement('look_at_invitation', (v: { hash: Buffer }) =>
  query
    .selectFrom('invitations')
    .select([...columns, shownStatus])
    .where('token_hash', '=', v.hash)
    .where(isOpen),
)
/** What a link invites to, without accepting it; or undefined. */
export const lookAtInvitation = (ctx: Context, hash: Buffer) => ctx.tx.first(look, { hash })

const attempt = statement('try_invitation_code', (v: { emailKey: string }) =>
  query
    .updateTable('invitations')
    .set({ code_attempts: sql`code_attempts + 1` })
    .where('email_key', '=', v.emailKey)
    .where(isOpen)
    .where('code_attempts', '<', WRONG_CODES)
    .returning(['id', 'code_hash']),
)
/**
 * Counts an attempt at an invitation's code before it is compared; undefined where no attempt is left, or no code
 * exists.
 */
export const tryInvitationCode = (ctx: Context, emailKey: string) => ctx.tx.first(attempt, { emailKey })

const take = statement('take_invitation', (v: { hash: Buffer | null; id: string | null }) =>
  query
    .updateTable('invitations')
    .set({ status: 'accepted', accepted_at: now, token_hash: null, code_hash: null })
    .where(sql<boolean>`(token_hash = ${v.hash}::bytea or id = ${v.id}::uuid)`)
    .where(isOpen)
    .returning(['id', 'email', 'role', 'full_name', 'member_id', 'redirect_url'])
    .returning((row) =>
      row
        .selectFrom('plans as p')
        .select('p.id')
        .whereRef('p.id', '=', 'invitations.plan_id')
        // Who was invited to a plan that has been archived since gets the default one.
        .where('p.status', '=', 'active')
        .as('plan_id'),
    ),
)
/** Accepts an invitation, by its link's hash or by its id. Of several attempts at the same time, one succeeds. */
export const takeInvitation = (ctx: Context, by: { hash: Buffer } | { id: string }) =>
  ctx.tx.first(take, { hash: null, id: null, ...by })

export type TakenInvitation = NonNullable<Awaited<ReturnType<typeof takeInvitation>>>

const settle = statement('settle_invitation', (v: { id: string; memberId: string }) =>
  query
    .updateTable('invitations')
    .set({ member_id: v.memberId })
    .where('id', '=', v.id)
    .returning([...columns, shownStatus]),
)
/** Notes who accepted. */
export const settleInvitation = (ctx: Context, id: string, memberId: string) =>
  ctx.tx.single(settle, { id, memberId })
