import { sql } from 'kysely'
import type { DeferredResult } from '../../db/deferred-result.ts'
import { query, statement } from '../../db/statement.ts'
import type { Context } from '../../db/tenant.ts'

/** The scope of a key, and the key as the client sent it. */
export interface KeyName {
  readonly scope: string
  readonly key: string
}

/** A key that one request holds. */
export interface HeldKey extends KeyName {
  readonly token: string
}

/** The stored row of a key. Where it has a status, its request has been answered. */
export interface KeyRow {
  token: string
  fingerprint: Buffer
  status: number | null
  content_type: string | null
  body: Buffer | null
}

/** An answer as it is stored. */
export interface KeptAnswer {
  readonly status: number
  readonly content_type: string | null
  readonly body: Buffer
}

/** The process that handles a request renews its lease at least this often; see LEASE_MS in idempotency.ts. */
const untilLeaseEnds = sql<string>`now() + interval '30 seconds'`

const claim = statement('claim_idempotency_key', (v: HeldKey & { fingerprint: Buffer }) =>
  query
    .insertInto('idempotency_keys')
    .values({
      scope: v.scope,
      key: v.key,
      token: v.token,
      fingerprint: v.fingerprint,
      leased_until: untilLeaseEnds,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'scope', 'key'])
        .doUpdateSet((row) => ({
          fingerprint: row.ref('excluded.fingerprint'),
          token: row.ref('excluded.token'),
          leased_until: row.ref('excluded.leased_until'),
          status: null,
          content_type: null,
          body: null,
          created_at: sql<string>`now()`,
        }))
        // Either its 24 hours are over, or the process that handled the same request has crashed.
        .where((row) =>
          row.or([
            row('idempotency_keys.created_at', '<', sql<string>`now() - interval '24 hours'`),
            row.and([
              row('idempotency_keys.leased_until', '<', sql<string>`now()`),
              row('idempotency_keys.fingerprint', '=', row.ref('excluded.fingerprint')),
            ]),
          ]),
        ),
    ),
)
const read = statement('read_idempotency_key', (v: KeyName) =>
  query
    .selectFrom('idempotency_keys')
    .select(['token', 'fingerprint', 'status', 'content_type', 'body'])
    .where('scope', '=', v.scope)
    .where('key', '=', v.key),
)

/** Takes the key if it is free, and returns its row; undefined if another request has just released it. */
export function claimKey(
  ctx: Context,
  held: HeldKey,
  fingerprint: Buffer,
): DeferredResult<KeyRow | undefined> {
  return ctx.tx
    .all(claim, { ...held, fingerprint })
    .and(ctx.tx.first(read, held))
    .map(([, row]) => row)
}

const held = (v: HeldKey) =>
  [
    ['scope', '=', v.scope],
    ['key', '=', v.key],
    ['token', '=', v.token],
  ] as const

const renew = statement('renew_idempotency_key', (v: HeldKey) =>
  query
    .updateTable('idempotency_keys')
    .set({ leased_until: untilLeaseEnds })
    .where((row) => row.and(held(v).map(([column, is, value]) => row(column, is, value))))
    .where('status', 'is', null)
    .returning('token'),
)

/** Returns false if another request holds the key by now. */
export const renewKey = (ctx: Context, key: HeldKey): DeferredResult<boolean> =>
  ctx.tx.first(renew, key).map((row) => row !== undefined)

const answer = statement('answer_idempotency_key', (v: HeldKey & KeptAnswer) =>
  query
    .updateTable('idempotency_keys')
    .set({ leased_until: null, status: v.status, content_type: v.content_type, body: v.body })
    .where((row) => row.and(held(v).map(([column, is, value]) => row(column, is, value))))
    .returning('token'),
)

/** Returns false if another request holds the key by now. */
export const answerKey = (ctx: Context, key: HeldKey, kept: KeptAnswer): DeferredResult<boolean> =>
  ctx.tx.first(answer, { ...key, ...kept }).map((row) => row !== undefined)

const written = statement('has_written', () =>
  query.selectNoFrom(sql<boolean>`pg_current_xact_id_if_assigned() is not null`.as('has_written')),
)

/** Whether the transaction has changed or locked anything so far. Deferred writes do not count. */
export const hasWritten = (ctx: Context): DeferredResult<boolean> =>
  ctx.tx.single(written, {}).map(({ has_written }) => has_written)

const release = statement('release_idempotency_key', (v: HeldKey) =>
  query
    .deleteFrom('idempotency_keys')
    .where((row) => row.and(held(v).map(([column, is, value]) => row(column, is, value))))
    .where('status', 'is', null),
)

/** Releases the key: the next request with it is handled anew. */
export const releaseKey = (ctx: Context, key: HeldKey): DeferredResult<unknown> => ctx.tx.all(release, key)
