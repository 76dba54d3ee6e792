import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField, notFound } from '#platform/errors.ts'

/** How long a login at the provider may take, and how long the site has to exchange its code. */
const LOGIN_MINUTES = 15
const CODE_MINUTES = 5

const inMinutes = (minutes: number) => sql<string>`now() + make_interval(mins => ${sql.lit(minutes)})`
const isGood = sql<boolean>`expires_at > now()`

/** A connection can be deleted, and a member be erased, during a login. */
const gone = (cause: unknown) => notFound('SSO connection', cause)

export interface NewLogin {
  id: string
  connection_id: string
  state_hash: Buffer
  secrets: Buffer
  redirect_url: string
  code_challenge: string
}

const begin = statement(
  'begin_sso_login',
  (v: NewLogin) =>
    query.insertInto('sso_logins').values({
      id: v.id,
      connection_id: v.connection_id,
      state_hash: v.state_hash,
      secrets: v.secrets,
      redirect_url: v.redirect_url,
      code_challenge: v.code_challenge,
      expires_at: inMinutes(LOGIN_MINUTES),
    }),
  {
    // The connection was deleted while the provider was asked.
    sso_logins_project_id_connection_id_fkey: (cause) =>
      invalidField('connection_id', 'exists', 'is not a connection that can be used', cause),
  },
)
export const insertLoginRow = (ctx: Context, login: NewLogin) => ctx.tx.defer(begin, login)

const take = statement('take_sso_login', (v: { stateHash: Buffer }) =>
  query
    .deleteFrom('sso_logins')
    .where('state_hash', '=', v.stateHash)
    .where(isGood)
    .returning(['id', 'connection_id', 'secrets', 'redirect_url', 'code_challenge']),
)
/** Uses up the state of a login. Of several requests with one state, one succeeds. */
export const takeLogin = (ctx: Context, stateHash: Buffer) => ctx.tx.first(take, { stateHash })

const assertion = statement(
  'take_sso_assertion',
  (v: { id: string; connectionId: string; hash: Buffer; expiresAt: Date }) =>
    query
      .insertInto('sso_assertions')
      .values({ id: v.id, connection_id: v.connectionId, assertion_hash: v.hash, expires_at: v.expiresAt })
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'connection_id', 'assertion_hash']).doNothing(),
      )
      .returning('id'),
  { sso_assertions_project_id_connection_id_fkey: gone },
)
/** Records an assertion. @returns undefined if it was recorded before */
export const takeAssertion = (
  ctx: Context,
  taken: { id: string; connectionId: string; hash: Buffer; expiresAt: Date },
) => ctx.tx.first(assertion, taken)

const known = statement('sso_identity', (v: { connectionId: string; subject: string }) =>
  query
    .selectFrom('sso_identities as i')
    .innerJoin('members as m', (on) =>
      on.onRef('m.project_id', '=', 'i.project_id').onRef('m.id', '=', 'i.member_id'),
    )
    .select(['i.id', 'i.needs_factor', 'm.id as member_id', 'm.status', 'm.deleted_at'])
    .where('i.connection_id', '=', v.connectionId)
    .where('i.subject', '=', v.subject),
)
/** The member of a user of the provider, or undefined. */
export const findIdentity = (ctx: Context, connectionId: string, subject: string) =>
  ctx.tx.first(known, { connectionId, subject })

const seen = statement('note_sso_login', (v: { id: string }) =>
  query
    .updateTable('sso_identities')
    .set({ last_login_at: sql`now()` })
    .where('id', '=', v.id)
    .returning('id'),
)
/** @returns undefined if the member no longer exists */
export const noteIdentity = (ctx: Context, id: string) => ctx.tx.first(seen, { id })

interface NewIdentity {
  id: string
  connectionId: string
  subject: string
  memberId: string
  needsFactor: boolean
}
const link = statement(
  'link_sso_identity',
  (v: NewIdentity) =>
    query
      .insertInto('sso_identities')
      .values({
        id: v.id,
        connection_id: v.connectionId,
        subject: v.subject,
        member_id: v.memberId,
        needs_factor: v.needsFactor,
      })
      // The identity of a deleted member, or of a login at the same moment, is replaced.
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'connection_id', 'subject']).doUpdateSet({
          member_id: v.memberId,
          needs_factor: v.needsFactor,
          last_login_at: sql`now()`,
        }),
      )
      .returning('id'),
  {
    sso_identities_project_id_connection_id_fkey: gone,
    sso_identities_project_id_member_id_fkey: gone,
  },
)
/** Links a user of the provider to a member. @returns the id of the identity */
export const linkIdentity = (ctx: Context, identity: NewIdentity) =>
  ctx.tx.single(link, identity).map(({ id }) => id)

const prove = statement('prove_sso_identity', (v: { id: string }) =>
  query.updateTable('sso_identities').set({ needs_factor: false }).where('id', '=', v.id),
)
/** Records that the member has shown their own second factor. */
export const settleIdentity = (ctx: Context, id: string) => ctx.tx.defer(prove, { id })

export interface NewCode {
  id: string
  connection_id: string
  member_id: string
  code_hash: Buffer
  code_challenge: string
  amr: string[]
  /** True if the second factor of the member must be shown first. */
  identity_id: string | null
}
const issue = statement(
  'issue_sso_code',
  (v: NewCode) =>
    query.insertInto('sso_codes').values({
      id: v.id,
      connection_id: v.connection_id,
      member_id: v.member_id,
      code_hash: v.code_hash,
      code_challenge: v.code_challenge,
      amr: v.amr,
      identity_id: v.identity_id,
      expires_at: inMinutes(CODE_MINUTES),
    }),
  {
    sso_codes_project_id_connection_id_fkey: gone,
    sso_codes_project_id_member_id_fkey: gone,
    sso_codes_project_id_identity_id_fkey: gone,
  },
)
export const insertCodeRow = (ctx: Context, code: NewCode) => ctx.tx.defer(issue, code)

const redeem = statement('take_sso_code', (v: { hash: Buffer }) =>
  query
    .deleteFrom('sso_codes')
    .where('code_hash', '=', v.hash)
    .where(isGood)
    .returning(['connection_id', 'member_id', 'code_challenge', 'amr', 'identity_id']),
)
/** Uses up a code, whether the verifier is right or not. */
export const takeCode = (ctx: Context, hash: Buffer) => ctx.tx.first(redeem, { hash })
