import { sql } from 'kysely'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

// All of this is in the project of operators, and by real time.

/** For how many seconds a code works. */
export const CODE_SECONDS = 900
/** Seconds by which a program that asks too soon must wait longer. */
const SLOWER_SECONDS = 5

const isOpen = sql<boolean>`expires_at > now()`

export const insertCode = defineQuery(
  'insert_device_code',
  (v: { id: string; device_hash: Buffer; user_code: string; client_name: string; ip: string }) =>
    query.insertInto('device_log_ins').values({
      ...pick(v, 'id', 'device_hash', 'user_code', 'client_name', 'ip'),
      expires_at: sql<string>`now() + make_interval(secs => ${sql.lit(CODE_SECONDS)})`,
    }),
)

/** Removes those that nobody approved in time, or whose program did not come back. */
export const deleteExpiredCodes = defineQuery('delete_expired_device_codes', (_: object) =>
  query
    .deleteFrom('device_log_ins')
    .where('session_id', 'is', null)
    .where('expires_at', '<', sql<string>`now() - interval '1 hour'`),
)

/** What asks by a code that is typed, or undefined. */
export const waitingByCode = defineQuery('waiting_device', (v: { user_code: string }) =>
  query
    .selectFrom('device_log_ins')
    .select(['user_code', 'client_name', 'ip', 'created_at', 'expires_at'])
    .where('user_code', '=', v.user_code)
    .where('status', '=', 'pending')
    .where(isOpen),
).first()

interface Decision {
  user_code: string
  status: 'approved' | 'denied'
  operator_id: string
  live_id: string | null
  environment: string | null
}

/** Decides once. Answers nothing where the code is unknown, was decided or has ended. */
export const decideCode = defineQuery('decide_device_code', (v: Decision) =>
  query
    .updateTable('device_log_ins')
    .set(pick(v, 'status', 'operator_id', 'live_id', 'environment'))
    .where('user_code', '=', v.user_code)
    .where('status', '=', 'pending')
    .where(isOpen)
    .returning(['id', 'client_name']),
).first()

/** The log-in that a program asks for, locked so that it is taken once. */
export const lockByDeviceCode = defineQuery('lock_device_code', (v: { device_hash: Buffer }) =>
  query
    .selectFrom('device_log_ins')
    .select(['id', 'status', 'client_name', 'ip', 'operator_id', 'live_id', 'environment'])
    .select(sql<boolean>`not ${isOpen}`.as('is_expired'))
    .select(
      sql<boolean>`coalesce(asked_at > now() - make_interval(secs => interval_seconds - 1), false)`.as(
        'is_hasty',
      ),
    )
    .where('device_hash', '=', v.device_hash)
    .forUpdate(),
).first()

/** Notes that a program has asked, and lets it wait longer where that was too soon. */
export const noteQuestion = defineQuery('note_device_question', (v: { id: string; isHasty: boolean }) =>
  query
    .updateTable('device_log_ins')
    .set({
      asked_at: sql`now()`,
      ...(v.isHasty && { interval_seconds: sql<number>`interval_seconds + ${sql.lit(SLOWER_SECONDS)}` }),
    })
    .where('id', '=', v.id),
)

export const takeLogIn = defineQuery(
  'take_device_log_in',
  (v: { id: string; token_hash: Buffer; session_id: string }) =>
    query
      .updateTable('device_log_ins')
      .set({ status: 'taken', ...pick(v, 'token_hash', 'session_id') })
      .where('id', '=', v.id),
)

/** The log-in of a refresh token while its session is open, or undefined. */
export const logInByToken = defineQuery('device_log_in_by_token', (v: { token_hash: Buffer }) =>
  query
    .selectFrom('device_log_ins as d')
    .innerJoin('sessions as s', 's.id', 'd.session_id')
    .innerJoin('members as m', 'm.id', 's.member_id')
    .select(['s.id as session_id', 's.member_id', 'd.client_name', 'd.live_id', 'd.environment', 'm.email'])
    .where('d.token_hash', '=', v.token_hash)
    .where('s.ended_at', 'is', null)
    .where(sql<boolean>`s.expires_at > now()`)
    .where('m.status', '=', 'active')
    .where('m.deleted_at', 'is', null),
).first()
