import { type Expression, type InferResult, type SqlBool, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { type AnswerOf, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidField } from '#platform/errors.ts'
import { parseId, toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, choice, contains, hasId } from '#platform/lists/list-filters.ts'
import { invitationPending } from '../errors.ts'
import { invitationId } from '../ids.ts'
import { WRONG_CODES } from '../tokens/queries.ts'
import type { Invitation, InvitationStatus } from './schema.ts'

const columns = [
  'id',
  'email',
  'role',
  'full_name',
  'plan_id',
  'member_id',
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

const invitations = () => query.selectFrom('invitations').select([...columns, shownStatus])

/** An invitation as the API shows it. Who sent it knows where it leads. */
const toInvitation = (row: InferResult<ReturnType<typeof invitations>>[number]): Invitation => ({
  ...row,
  id: toId(invitationId, row.id),
  plan_id: row.plan_id === null ? null : toId('plan', row.plan_id),
  member_id: row.member_id === null ? null : toId('member', row.member_id),
})

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

/** @throws ApiError 422 INVITATION_PENDING, or VALIDATION_ERROR for a plan that does not exist */
export const insertInvitation = defineQuery(
  'insert_invitation',
  (v: NewInvitationRow) =>
    query
      .insertInto('invitations')
      .values({
        ...pick(v, 'id', 'email', 'role', 'full_name', 'plan_id', 'member_id', 'redirect_url'),
        created_at: now,
        expires_at: sql`${now} + make_interval(days => ${v.days})`,
      })
      .returning([...columns, shownStatus]),
  CONSTRAINTS,
)
  .map(toInvitation)
  .single()

const STATUS: Readonly<Record<InvitationStatus, () => Expression<SqlBool>>> = {
  pending: () => sql`status = 'pending' and expires_at > ${now}`,
  expired: () => sql`status = 'pending' and expires_at <= ${now}`,
  accepted: () => sql`status = 'accepted'`,
  revoked: () => sql`status = 'revoked'`,
}

/** One page of invitations, the newest first, and how many there are in all. */
export const listInvitations = defineList({
  label: 'invitations',
  rows: invitations,
  map: toInvitation,
  key: 'id',
  filters: {
    status: choice<InvitationStatus>((status) => STATUS[status]()),
    plan_id: hasId('plan_id', (id) => parseId('plan', id)),
    ...between('created_at'),
  },
  search: contains({ lowered: 'email_key' }, 'full_name'),
  sorts: { created_at: ['created_at', 'timestamptz'], email: ['email_key', 'text'] },
})

/** @throws ApiError 404 if it is not pending */
export const revokeInvitation = defineQuery('revoke_invitation', (v: { id: string }) =>
  query
    .updateTable('invitations')
    .set({ status: 'revoked', revoked_at: now, token_hash: null, code_hash: null })
    .where('id', '=', v.id)
    .where('status', '=', 'pending')
    .returning([...columns, shownStatus]),
)
  .map(toInvitation)
  .one('Pending invitation')

/**
 * Revokes the invitations that a member could still accept, except those to the address `but`, which is in lower case.
 */
export const revokeInvitationsOf = defineQuery(
  'revoke_invitations_of_member',
  (v: { memberId: string; but: string | null }) =>
    query
      .updateTable('invitations')
      .set({ status: 'revoked', revoked_at: now, token_hash: null, code_hash: null })
      .where('member_id', '=', v.memberId)
      .where('status', '=', 'pending')
      .where(sql<boolean>`email_key is distinct from ${v.but}::text`)
      .returning([...columns, shownStatus]),
).map(toInvitation)

/**
 * Makes an invitation valid for its full time again; its old link and code stop working. @throws ApiError 404 if it is
 * not pending
 */
export const renewInvitation = defineQuery('renew_invitation', (v: { id: string }) =>
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
  .map(toInvitation)
  .one('Pending invitation')

/** Whether an invitation of a member would be open, and the one that they have. @throws ApiError 404 */
export const getInvitable = defineQuery('invitable_member', (v: { id: string }) =>
  query
    .selectFrom('members as m')
    .select(['m.email', 'm.role'])
    .select(
      sql<boolean>`m.last_login_at is null
        and not exists (select from member_passwords as p where p.id = m.id)`.as('is_new'),
    )
    .select(
      sql<string | null>`(select i.id from invitations as i
        where i.member_id = m.id and i.status = 'pending' and i.email_key = m.email_key)`.as('invitation_id'),
    )
    .where('m.id', '=', v.id)
    .where('m.deleted_at', 'is', null),
).one('Member')

/** Gives an invitation its link and code. Answers undefined if it is not open any more. */
export const armInvitation = defineQuery(
  'arm_invitation',
  (v: { id: string; tokenHash: Buffer; codeHash: Buffer }) =>
    query
      .updateTable('invitations')
      .set({ token_hash: v.tokenHash, code_hash: v.codeHash, code_attempts: 0, sent_at: now })
      .where('id', '=', v.id)
      .where('status', '=', 'pending')
      .where('expires_at', '>', now)
      .returning(['email', 'full_name', 'expires_at']),
).first()

/**
 * Invitations that can still be accepted. An invitation of an existing member is valid while the address is theirs and
 * they have never logged in. After that it would work like a password reset that is valid for days.
 */
const isOpen = sql<boolean>`(invitations.status = 'pending' and invitations.expires_at > ${now}
  and (invitations.member_id is null or exists (select from members as m
    where m.id = invitations.member_id and m.email_key = invitations.email_key and m.deleted_at is null
      and m.last_login_at is null and not exists (select from member_passwords as p where p.id = m.id))))`

/** The invitation of somebody who is no member yet, by the address that was invited; or undefined. */
export const findInvitationTo = defineQuery('invitation_to', (v: { emailKey: string }) =>
  query
    .selectFrom('invitations')
    .select('id')
    .where('email_key', '=', v.emailKey)
    .where('member_id', 'is', null)
    .where(isOpen)
    .limit(1),
).first()

/** What a link invites to, without accepting it; or undefined. */
export const lookAtInvitation = defineQuery('look_at_invitation', (v: { hash: Buffer }) =>
  query.selectFrom('invitations').select('redirect_url').where('token_hash', '=', v.hash).where(isOpen),
).first()

/** Counts an attempt at an invitation's code before it is compared; undefined if no attempt is left, or no code exists. */
export const tryInvitationCode = defineQuery('try_invitation_code', (v: { emailKey: string }) =>
  query
    .updateTable('invitations')
    .set({ code_attempts: sql`code_attempts + 1` })
    .where('email_key', '=', v.emailKey)
    .where(isOpen)
    .where('code_attempts', '<', WRONG_CODES)
    .returning(['id', 'code_hash']),
).first()

/** Accepts an invitation, by its link's hash or by its id. Of several attempts at the same time, one succeeds. */
export const takeInvitation = defineQuery(
  'take_invitation',
  (v: { hash: Buffer | null; id: string | null }) =>
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
          // If the plan of the invitation was archived since, the member gets the default one.
          .where('p.status', '=', 'active')
          .as('plan_id'),
      ),
).first()
export type TakenInvitation = NonNullable<AnswerOf<typeof takeInvitation>>

/** Notes who accepted. */
export const acceptInvitationRow = defineQuery('accept_invitation', (v: { id: string; memberId: string }) =>
  query
    .updateTable('invitations')
    .set({ member_id: v.memberId })
    .where('id', '=', v.id)
    .returning([...columns, shownStatus]),
)
  .map(toInvitation)
  .single()
