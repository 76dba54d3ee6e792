import { sql } from 'kysely'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidField, notFound } from '#platform/errors.ts'

/** How long a login at the provider may take, and how long the site has to exchange its code. */
const LOGIN_MINUTES = 15
const CODE_MINUTES = 5

const inMinutes = (minutes: number) => sql<string>`now() + make_interval(mins => ${sql.lit(minutes)})`
const isGood = sql<boolean>`expires_at > now()`

/** A connection can be deleted, and a member be erased, during a login. */
const gone = (cause: unknown) => notFound('SSO connection', cause)

interface NewLogin {
  id: string
  connection_id: string
  state_hash: Buffer
  secrets: Buffer
  redirect_url: string
  code_challenge: string
}

export const insertLogin = defineQuery(
  'begin_sso_login',
  (v: NewLogin) =>
    query.insertInto('sso_logins').values({
      ...pick(v, 'id', 'connection_id', 'state_hash', 'secrets', 'redirect_url', 'code_challenge'),
      expires_at: inMinutes(LOGIN_MINUTES),
    }),
  {
    // The connection was deleted while the provider was asked.
    sso_logins_project_id_connection_id_fkey: (cause) =>
      invalidField('connection_id', 'exists', 'is not an enabled connection of this project', cause),
  },
)

/** Uses up the state of a login. Of several requests with one state, one succeeds. */
export const takeLogin = defineQuery('take_sso_login', (v: { stateHash: Buffer }) =>
  query
    .deleteFrom('sso_logins')
    .where('state_hash', '=', v.stateHash)
    .where(isGood)
    .returning(['id', 'connection_id', 'secrets', 'redirect_url', 'code_challenge']),
).first()

/** Records an assertion. Answers undefined if it was recorded before. */
export const takeAssertion = defineQuery(
  'take_sso_assertion',
  (v: { id: string; connection_id: string; assertion_hash: Buffer; expires_at: Date }) =>
    query
      .insertInto('sso_assertions')
      .values(pick(v, 'id', 'connection_id', 'assertion_hash', 'expires_at'))
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'connection_id', 'assertion_hash']).doNothing(),
      )
      .returning('id'),
  { sso_assertions_project_id_connection_id_fkey: gone },
).first()

/** The member of a user of the provider, or undefined. */
export const findIdentity = defineQuery('sso_identity', (v: { connectionId: string; subject: string }) =>
  query
    .selectFrom('sso_identities as i')
    .innerJoin('members as m', (on) =>
      on.onRef('m.project_id', '=', 'i.project_id').onRef('m.id', '=', 'i.member_id'),
    )
    .select(['i.id', 'i.needs_factor', 'm.id as member_id', 'm.status', 'm.deleted_at'])
    .where('i.connection_id', '=', v.connectionId)
    .where('i.subject', '=', v.subject),
).first()

/** Answers undefined if the member no longer exists. */
export const noteIdentity = defineQuery('note_sso_login', (v: { id: string }) =>
  query
    .updateTable('sso_identities')
    .set({ last_login_at: sql`now()` })
    .where('id', '=', v.id)
    .returning('id'),
).first()

interface NewIdentity {
  id: string
  connection_id: string
  subject: string
  member_id: string
  needs_factor: boolean
}
/** Links a user of the provider to a member. Answers the id of the identity. */
export const linkIdentity = defineQuery(
  'link_sso_identity',
  (v: NewIdentity) =>
    query
      .insertInto('sso_identities')
      .values(pick(v, 'id', 'connection_id', 'subject', 'member_id', 'needs_factor'))
      // The identity of a deleted member, or of a login at the same moment, is replaced.
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'connection_id', 'subject'])
          .doUpdateSet({ ...pick(v, 'member_id', 'needs_factor'), last_login_at: sql`now()` }),
      )
      .returning('id'),
  {
    sso_identities_project_id_connection_id_fkey: gone,
    sso_identities_project_id_member_id_fkey: gone,
  },
)
  .map(({ id }) => id)
  .single()

/** Records that the member has shown their own second factor. */
export const proveIdentity = defineQuery('prove_sso_identity', (v: { id: string }) =>
  query.updateTable('sso_identities').set({ needs_factor: false }).where('id', '=', v.id),
)

interface NewCode {
  id: string
  connection_id: string
  member_id: string
  code_hash: Buffer
  code_challenge: string
  amr: string[]
  /** True if the second factor of the member must be shown first. */
  identity_id: string | null
  /** When the person logged in at the provider; null: unknown. */
  authenticated_at: Date | null
}
export const insertCode = defineQuery(
  'issue_sso_code',
  (v: NewCode) =>
    query.insertInto('sso_codes').values({
      ...pick(v, 'id', 'connection_id', 'member_id', 'code_hash', 'code_challenge', 'amr', 'identity_id'),
      authenticated_at: v.authenticated_at,
      expires_at: inMinutes(CODE_MINUTES),
    }),
  {
    sso_codes_project_id_connection_id_fkey: gone,
    sso_codes_project_id_member_id_fkey: gone,
    sso_codes_project_id_identity_id_fkey: gone,
  },
)

/** Uses up a code, whether the verifier is right or not. */
export const takeCode = defineQuery('take_sso_code', (v: { hash: Buffer }) =>
  query
    .deleteFrom('sso_codes')
    .where('code_hash', '=', v.hash)
    .where(isGood)
    .returning(['connection_id', 'member_id', 'code_challenge', 'amr', 'identity_id', 'authenticated_at']),
).first()
