import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

/** How long a refresh token lives. */
export const REFRESH_TOKEN_DAYS = 7
/** Seconds in which a used refresh token gets the same successor again, for example from another tab. */
const REPLAY_SECONDS = 10

const refreshExpiry = sql<string>`now() + make_interval(days => ${sql.lit(REFRESH_TOKEN_DAYS)})`

export interface NewSessionRow {
  id: string
  member_id: string
  aal: string
  amr: string[]
  ip: string | null
  user_agent: string | null
}

const insert = statement('insert_session', (v: NewSessionRow) =>
  query.insertInto('sessions').values({
    id: v.id,
    member_id: v.member_id,
    aal: v.aal,
    amr: v.amr,
    ip: v.ip,
    user_agent: v.user_agent,
    expires_at: refreshExpiry,
  }),
)
export const insertSessionRow = (ctx: Context, row: NewSessionRow) => ctx.tx.defer(insert, row)

interface NewRefreshToken {
  id: string
  session_id: string
  hash: Buffer
}

const insertToken = statement('insert_refresh_token', (v: NewRefreshToken) =>
  query
    .insertInto('refresh_tokens')
    .values({ id: v.id, session_id: v.session_id, hash: v.hash, expires_at: refreshExpiry }),
)
export const insertRefreshTokenRow = (ctx: Context, row: NewRefreshToken) => ctx.tx.defer(insertToken, row)

/** Used a moment ago, and its successor has not been used since. */
const isReplay = (successor: Buffer) =>
  sql<boolean>`coalesce(t.used_at > now() - make_interval(secs => ${sql.lit(REPLAY_SECONDS)}), false)
    and not exists (select from refresh_tokens n where n.hash = ${successor} and n.used_at is not null)`

const hold = statement('hold_refresh_token', (v: { hash: Buffer; successor: Buffer }) =>
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
)

/**
 * A refresh token and whether it is still valid for its session, locked so that it is used once; or undefined.
 * @param successor the hash of the one token that can follow it
 */
export const holdRefreshToken = (ctx: Context, hash: Buffer, successor: Buffer) =>
  ctx.tx.first(hold, { hash, successor })

const markUsed = statement('use_refresh_token', (v: { id: string }) =>
  query.updateTable('refresh_tokens').set({ used_at: sql`now()` }).where('id', '=', v.id),
)
export const useRefreshToken = (ctx: Context, id: string) => ctx.tx.defer(markUsed, { id })

const touch = statement('touch_session', (v: { id: string; ip: string | null; user_agent: string | null }) =>
  query
    .updateTable('sessions')
    .set({ last_seen_at: sql`now()`, expires_at: refreshExpiry, ip: v.ip, user_agent: v.user_agent })
    .where('id', '=', v.id),
)
/** Notes where a session was last used, and extends it by the lifetime of a refresh token. */
export const touchSession = (
  ctx: Context,
  session: { id: string; ip: string | null; user_agent: string | null },
) => ctx.tx.defer(touch, session)

const sessionColumns = [
  'id',
  'aal',
  'amr',
  'ip',
  'user_agent',
  'created_at',
  'last_seen_at',
  'expires_at',
] as const

const ofMember = statement('sessions_of_member', (v: { memberId: string }) =>
  query
    .selectFrom('sessions')
    .select(sessionColumns)
    .where('member_id', '=', v.memberId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .orderBy('id', 'desc'),
)

/** Where a member is logged in, the newest first. */
export const listSessions = (ctx: Context, memberId: string) => ctx.tx.all(ofMember, { memberId })

const end = statement('end_session', (v: { id: string; memberId: string; reason: string }) =>
  query
    .updateTable('sessions')
    .set({ ended_at: sql`now()`, end_reason: v.reason })
    .where('id', '=', v.id)
    .where('member_id', '=', v.memberId)
    .where('ended_at', 'is', null)
    .returning('id'),
)
/** @returns the session that was ended, or undefined where there was none */
export const endOneSession = (ctx: Context, id: string, memberId: string, reason: string) =>
  ctx.tx.first(end, { id, memberId, reason })

const endAll = statement('end_sessions', (v: { memberId: string; but: string | null; reason: string }) =>
  query
    .updateTable('sessions')
    .set({ ended_at: sql`now()`, end_reason: v.reason })
    .where('member_id', '=', v.memberId)
    .where(sql<boolean>`id is distinct from ${v.but}::uuid`)
    .where('ended_at', 'is', null)
    .returning('id'),
)
/** Ends all sessions of a member, or all but one. @returns those that were ended */
export const endAllSessions = (ctx: Context, memberId: string, but: string | null, reason: string) =>
  ctx.tx.all(endAll, { memberId, but, reason })

const endOfDomains = statement(
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
/** Ends the sessions of all members of some domains that did not come by single sign-on. */
export const endSessionsOfDomains = (ctx: Context, domains: readonly string[], reason: string) =>
  ctx.tx.all(endOfDomains, { domains, reason })

const aal = statement('session_aal', (v: { id: string }) =>
  query.selectFrom('sessions').select('aal').where('id', '=', v.id).where('ended_at', 'is', null),
)
/** The assurance level of a session now; its access token may be older. */
export const findAal = (ctx: Context, id: string) => ctx.tx.first(aal, { id })

const raise = statement('raise_session', (v: { id: string; method: string }) =>
  query
    .updateTable('sessions')
    .set({
      aal: 'aal2',
      amr: sql`case when ${v.method} = any (amr) then amr else amr || ${v.method}::text end`,
    })
    .where('id', '=', v.id),
)
/** A session has shown a second factor. */
export const raiseSession = (ctx: Context, id: string, method: string) => ctx.tx.defer(raise, { id, method })
