import { sql } from 'kysely'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

/** How long a token is valid, and how many wrong codes it allows. */
export const TOKEN_MINUTES = 15
export const WRONG_CODES = 5

const expiry = sql<string>`now() + make_interval(mins => ${sql.lit(TOKEN_MINUTES)})`

/** The purpose of a token: of mails, of the second step of a login, and of the return from our page. */
export type Purpose = 'magic_link' | 'email' | 'email_change' | 'password_reset' | 'mfa' | 'exchange'

const columns = [
  ...(['id', 'purpose', 'email', 'member_id', 'redirect_url', 'details'] as const),
  ...(['password_hash', 'code_challenge'] as const),
] as const

export interface TokenRow {
  id: string
  purpose: Purpose
  subject: string
  email: string | null
  member_id: string | null
  redirect_url: string | null
  token_hash: Buffer | null
  details: string
  /** The sign-up that waits for the token. */
  password_hash: string | null
  code_challenge: string | null
}

/** True if a sign-up waits for the stored token. */
const waits = sql<boolean>`(one_time_tokens.details ? 'sign_up' and one_time_tokens.expires_at > now())`
/** True if the mail of that sign-up is requested again. */
const isAgain = sql<boolean>`(not excluded.details ? 'sign_up'
  and coalesce(excluded.code_challenge = one_time_tokens.code_challenge, excluded.code_challenge is null))`
/**
 * A second sign-up with the same password is the same sign-up: the hashes of both are alike. If two sign-ups with one
 * address cannot be distinguished, neither password becomes valid: one may be of a stranger, and the reader of the mails
 * does not know which code belongs to which sign-up.
 */
const handedOn = {
  password_hash: sql<string | null>`case when not ${waits} then excluded.password_hash
    when ${isAgain} then one_time_tokens.password_hash
    when excluded.code_challenge is not null or excluded.password_hash = one_time_tokens.password_hash
      then excluded.password_hash end`,
  code_challenge: sql<string | null>`case when ${waits} and ${isAgain} then one_time_tokens.code_challenge
    else excluded.code_challenge end`,
  details: sql<string>`case when ${waits} and ${isAgain} then one_time_tokens.details || excluded.details
    else excluded.details end`,
}

/** Stores a token. An older one with the same purpose and subject is replaced, and its waiting sign-up is kept. */
export const putToken = defineQuery('put_one_time_token', (v: TokenRow) =>
  query
    .insertInto('one_time_tokens')
    .values({
      ...pick(v, 'id', 'purpose', 'subject', 'email', 'member_id', 'redirect_url', 'token_hash'),
      ...pick(v, 'password_hash', 'code_challenge'),
      details: sql`${v.details}::jsonb`,
      expires_at: expiry,
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'purpose', 'subject']).doUpdateSet((row) => ({
        id: row.ref('excluded.id'),
        email: row.ref('excluded.email'),
        member_id: row.ref('excluded.member_id'),
        redirect_url: row.ref('excluded.redirect_url'),
        token_hash: row.ref('excluded.token_hash'),
        ...handedOn,
        expires_at: row.ref('excluded.expires_at'),
        code_hash: null,
        attempts: 0,
        created_at: sql<string>`now()`,
      })),
    ),
)

/** Stores the link and the code of a token. Those of an earlier attempt to send the mail stop working. */
export const setLinkAndCode = defineQuery(
  'arm_one_time_token',
  (v: { id: string; tokenHash: Buffer; codeHash: Buffer; memberId: string | null }) =>
    query
      .updateTable('one_time_tokens')
      .set({
        token_hash: v.tokenHash,
        code_hash: v.codeHash,
        member_id: v.memberId,
        attempts: 0,
        expires_at: expiry,
      })
      .where('id', '=', v.id),
)

/** A token whose mail is to be sent, or undefined if a newer one replaced it. */
export const findToken = defineQuery('unsent_one_time_token', (v: { id: string }) =>
  query
    .selectFrom('one_time_tokens')
    .select(columns)
    .where('id', '=', v.id)
    .where('expires_at', '>', sql<string>`now()`),
).first()

export const dropToken = defineQuery('drop_one_time_token', (v: { id: string }) =>
  query.deleteFrom('one_time_tokens').where('id', '=', v.id),
)

export const dropTokensOf = defineQuery(
  'drop_one_time_tokens_of_member',
  (v: { memberId: string; purpose: Purpose }) =>
    query.deleteFrom('one_time_tokens').where('member_id', '=', v.memberId).where('purpose', '=', v.purpose),
)

interface OfLink {
  hash: Buffer
  purposes: readonly Purpose[]
}
const good = (v: OfLink) =>
  sql<boolean>`token_hash = ${v.hash} and purpose = any (${v.purposes}::text[]) and expires_at > now()
    and attempts < ${sql.lit(WRONG_CODES)}`

/** What the token of a link is for, without using it up; undefined if it is invalid. */
export const lookAtToken = defineQuery('look_at_one_time_token', (v: OfLink) =>
  query.selectFrom('one_time_tokens').select(columns).where(good(v)),
).first()

/**
 * The member that a link confirms for the first time and that has no password from an operator; otherwise undefined.
 */
export const findWaiting = defineQuery('unconfirmed_by_link', (v: { hash: Buffer }) =>
  query
    .selectFrom('one_time_tokens as t')
    .innerJoin('members as m', (on) =>
      on.onRef('m.project_id', '=', 't.project_id').onRef('m.email_key', '=', 't.subject'),
    )
    .leftJoin('member_passwords as p', (on) => on.onRef('p.id', '=', 'm.id').on('p.set_by', '=', 'operator'))
    .select('m.pending_reason')
    .where('t.token_hash', '=', v.hash)
    .where('m.deleted_at', 'is', null)
    .where('m.email_verified_at', 'is', null)
    .where('m.verified_before', '=', false)
    .where('p.id', 'is', null),
).first()

/** Uses up a token. Of several requests at the same moment, one succeeds. */
export const takeToken = defineQuery('take_one_time_token', (v: OfLink) =>
  query.deleteFrom('one_time_tokens').where(good(v)).returning(columns),
).first()

/** Counts an attempt before the code is checked; undefined if no attempt is left. */
export const tryCode = defineQuery('try_one_time_token', (v: { purpose: Purpose; subject: string }) =>
  query
    .updateTable('one_time_tokens')
    .set({ attempts: sql`attempts + 1` })
    .where('purpose', '=', v.purpose)
    .where('subject', '=', v.subject)
    .where('expires_at', '>', sql<string>`now()`)
    .where('attempts', '<', WRONG_CODES)
    .returning([...columns, 'code_hash']),
).first()

/** The same for the second step of a login, which is known by its token. */
export const tryMfaToken = defineQuery('try_mfa_token', (v: { hash: Buffer }) =>
  query
    .updateTable('one_time_tokens')
    .set({ attempts: sql`attempts + 1` })
    .where('token_hash', '=', v.hash)
    .where('purpose', '=', 'mfa')
    .where('expires_at', '>', sql<string>`now()`)
    .where('attempts', '<', WRONG_CODES)
    .returning(columns),
).first()
