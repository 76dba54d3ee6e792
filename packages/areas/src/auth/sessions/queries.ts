import { sql } from 'kysely'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'

/** How long a refresh token lives. */
export const REFRESH_TOKEN_DAYS = 7
/** Seconds in which a used refresh token gets the same successor again, for example from another tab. */
const REPLAY_SECONDS = 10

const refreshExpiry = sql<string>`now() + make_interval(days => ${sql.lit(REFRESH_TOKEN_DAYS)})`

interface NewSession {
  id: string
  member_id: string
  aal: string
  amr: string[]
  ip: string | null
  user_agent: string | null
}

export const insertSession = defineQuery('insert_session', (v: NewSession) =>
  query.insertInto('sessions').values({
    ...pick(v, 'id', 'member_id', 'aal', 'amr', 'ip', 'user_agent'),
    expires_at: refreshExpiry,
  }),
)

export const insertRefreshToken = defineQuery(
  'insert_refresh_token',
  (v: { id: string; session_id: string; hash: Buffer }) =>
    query
      .insertInto('refresh_tokens')
      .values({ ...pick(v, 'id', 'session_id', 'hash'), expires_at: refreshExpiry }),
)

/** Used a moment ago, and its successor has not been used since. */
const isReplay = (successor: Buffer) =>
  sql<boolean>`coalesce(t.used_at > now() - make_interval(secs => ${sql.lit(REPLAY_SECONDS)}), false)
    and not exists (select from refresh_tokens n where n.hash = ${successor} and n.used_at is not null)`

/**
 * A refresh token and whether it is still valid for its session, locked so that it is used once; or undefined.
 * `successor` is the hash of the one token that can follow it.
 */
export const lockRefreshToken = defineQuery('lock_refresh_token', (v: { hash: Buffer; successor: Buffer }) =>
  query
    .selectFrom('refresh_tokens as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .innerJoin('members as m', 'm.id', 's.member_id')
    .select(['t.id', 't.session_id', 't.used_at', 's.member_id', 's.aal', 's.amr', 'm.role'])
    .select(isReplay(v.successor).as('is_replay'))
    .select(sql<boolean>`t.expires_at <= now()`.as('is_expired'))
    .select(
      sql<boolean>`s.ended_at is not null or m.status <> 'active' or m.deleted_at is not null`.as(
        'has_ended',
      ),
    )
    .where('t.hash', '=', v.hash)
    .forUpdate('t'),
).first()

export const useRefreshToken = defineQuery('use_refresh_token', (v: { id: string }) =>
  query.updateTable('refresh_tokens').set({ used_at: sql`now()` }).where('id', '=', v.id),
)

/** Notes where a session was last used, and extends it by the lifetime of a refresh token. */
export const touchSession = defineQuery(
  'touch_session',
  (v: { id: string; ip: string | null; user_agent: string | null }) =>
    query
      .updateTable('sessions')
      .set({ ...pick(v, 'ip', 'user_agent'), last_seen_at: sql`now()`, expires_at: refreshExpiry })
      .where('id', '=', v.id),
)

/** Where a member is logged in, the newest first. */
export const listSessions = defineQuery('sessions_of_member', (v: { memberId: string }) =>
  query
    .selectFrom('sessions')
    .select(['id', 'aal', 'amr', 'ip', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'])
    .where('member_id', '=', v.memberId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .orderBy('id', 'desc'),
)

/** Ends one session of a member. Answers it, or undefined if there is none. */
export const endOneSession = defineQuery(
  'end_session',
  (v: { id: string; memberId: string; reason: string }) =>
    query
      .updateTable('sessions')
      .set({ ended_at: sql`now()`, end_reason: v.reason })
      .where('id', '=', v.id)
      .where('member_id', '=', v.memberId)
      .where('ended_at', 'is', null)
      .returning('id'),
).first()

/** Ends all sessions of a member, or all except `but`. Answers those that were ended. */
export const endAllSessions = defineQuery(
  'end_sessions',
  (v: { memberId: string; but: string | null; reason: string }) =>
    query
      .updateTable('sessions')
      .set({ ended_at: sql`now()`, end_reason: v.reason })
      .where('member_id', '=', v.memberId)
      .where(sql<boolean>`id is distinct from ${v.but}::uuid`)
      .where('ended_at', 'is', null)
      .returning('id'),
)

/** Ends the sessions of all members of some domains that did not come by single sign-on. */
export const endSessionsOfDomains = defineQuery(
  'end_sessions_of_domains',
  (v: { domains: readonly string[]; reason: string }) =>
    query
      .updateTable('sessions as s')
      .from('members as m')
      .set({ ended_at: sql`now()`, end_reason: v.reason })
      .whereRef('m.project_id', '=', 's.project_id')
      .whereRef('m.id', '=', 's.member_id')
      .where(sql<boolean>`regexp_replace(m.email_key, '^.*@', '') = any (${v.domains}::text[])`)
      .where(sql<boolean>`not 'sso' = any (s.amr)`)
      .where('s.ended_at', 'is', null)
      .returning(['s.id', 's.member_id']),
)

/** The assurance level of a session now; its access token may be older. */
export const findAal = defineQuery('session_aal', (v: { id: string }) =>
  query.selectFrom('sessions').select('aal').where('id', '=', v.id).where('ended_at', 'is', null),
)
  .map(({ aal }) => aal)
  .first()

/** How long after a login its session alone proves that the member is there. */
export const RECENT_MINUTES = 10

/**
 * Whether an operator came in by a provider, which also lets in whom it has not asked for hours. What such an operator has proven, and
 * when, is in `proven_at`.
 */
const isByProvider = sql<boolean>`(project_id = ${sql.lit(OPERATORS_PROJECT)} and 'sso' = any (amr))`

/** The session, if it began by a login a moment ago, or its member has proven it since; new tokens of a session do neither. */
export const findRecentLogin = defineQuery('recent_login', (v: { id: string }) =>
  query
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', v.id)
    .where(
      sql<boolean>`greatest(case when ${isByProvider} then null else created_at end, proven_at)
        > now() - make_interval(mins => ${sql.lit(RECENT_MINUTES)})`,
    ),
).first()

/** The provider says that the person logged in there at this moment; a moment to come is now. */
export const noteProviderLogin = defineQuery('note_provider_login', (v: { id: string; at: string }) =>
  query
    .updateTable('sessions')
    .set({ proven_at: sql`least(${v.at}::timestamptz, now())` })
    .where('id', '=', v.id),
)

/** The member has proven again to be there: from now on the session counts as one that has just begun. Answers until when. */
export const proveSession = defineQuery('prove_session', (v: { id: string }) =>
  query
    .updateTable('sessions')
    .set({ proven_at: sql`now()` })
    .where('id', '=', v.id)
    .where('ended_at', 'is', null)
    .returning(sql<string>`proven_at + make_interval(mins => ${sql.lit(RECENT_MINUTES)})`.as('until')),
).first()

/** A session has shown a second factor. */
export const raiseSession = defineQuery('raise_session', (v: { id: string; method: string }) =>
  query
    .updateTable('sessions')
    .set({
      aal: 'aal2',
      amr: sql`case when ${v.method} = any (amr) then amr else amr || ${v.method}::text end`,
    })
    .where('id', '=', v.id),
)
