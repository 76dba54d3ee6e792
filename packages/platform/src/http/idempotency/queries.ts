import { sql } from 'kysely'
import type { DeferredResult } from '../../db/deferred-result.ts'
import { lookup, query, statement } from '../../db/statement.ts'
import type { Context } from '../../db/tenant.ts'
import { ApiError } from '../../errors.ts'

/** The scope of a key, and the key as the client sent it. */
export interface KeyName {
  readonly scope: string
  readonly key: string
}

/** A key as one request takes it. */
export interface HeldKey extends KeyName {
  /** Made anew by each request that takes the key. */
  readonly token: string
  /** What the request asks for. */
  readonly fingerprint: Buffer
  /** The number of the advisory lock that is held while the key is being taken. */
  readonly lock: string
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

/** 409: another request with the key is under way. */
export const inProgress = () =>
  new ApiError(
    409,
    'IDEMPOTENCY_IN_PROGRESS',
    'A request with this Idempotency-Key is still being handled: repeat this request later',
    { headers: { 'retry-after': '1' } },
  )

/** Another request has the key: it is under way, or it has been answered. */
export class KeyTaken extends ApiError {
  constructor() {
    const { status, code, message, headers } = inProgress()
    super(status, code, message, headers && { headers })
  }
}

/** The process that handles a request renews its lease at least this often; see RENEW_MS in claim.ts. */
const untilLeaseEnds = sql<string>`now() + interval '30 seconds'`
const TAKEN = { idempotency_key_taken: () => new KeyTaken(), idempotency_keys_pkey: () => new KeyTaken() }

const take = statement(
  'take_idempotency_key',
  (v: HeldKey) =>
    query.selectNoFrom(
      sql`app.take_idempotency_key(${v.scope}, ${v.key}, ${v.fingerprint}, ${v.lock}::int8)`.as('taken'),
    ),
  TAKEN,
)

/**
 * Takes the key for this transaction. If it cannot be had, the transaction fails with KeyTaken, and nothing that is sent
 * behind this is done. Before its commit, the transaction leases or answers the key, or leaves it free.
 */
export const takeKey = (ctx: Context, key: HeldKey): DeferredResult<unknown> => ctx.tx.all(take, key)

const lease = statement(
  'lease_idempotency_key',
  (v: HeldKey) =>
    query.insertInto('idempotency_keys').values({
      scope: v.scope,
      key: v.key,
      token: v.token,
      fingerprint: v.fingerprint,
      leased_until: untilLeaseEnds,
    }),
  TAKEN,
)

/** Keeps the key beyond this transaction, which has taken it. */
export const leaseKey = (ctx: Context, key: HeldKey): void => ctx.tx.defer(lease, key)

const answerTaken = statement(
  'answer_taken_idempotency_key',
  (v: HeldKey & KeptAnswer) =>
    query.insertInto('idempotency_keys').values({
      scope: v.scope,
      key: v.key,
      token: v.token,
      fingerprint: v.fingerprint,
      status: v.status,
      content_type: v.content_type,
      body: v.body,
    }),
  TAKEN,
)

/** Stores the answer together with this transaction, which has taken the key. */
export const answerTakenKey = (ctx: Context, key: HeldKey, kept: KeptAnswer): void =>
  ctx.tx.defer(answerTaken, { ...key, ...kept })

const read = lookup('read_idempotency_key', (v: KeyName) =>
  query
    .selectFrom('idempotency_keys')
    .select(['token', 'fingerprint', 'status', 'content_type', 'body'])
    .where('scope', '=', v.scope)
    .where('key', '=', v.key),
)

/** The row of a key; undefined where nobody has used it, or whoever uses it has not committed. */
export const findKey = (ctx: Context, name: KeyName): DeferredResult<KeyRow | undefined> =>
  ctx.tx.first(read, name)

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

/** Stores the answer of a leased key. Returns false if another request holds the key by now. */
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

/** Releases a leased key: the next request with it is handled anew. */
export const releaseKey = (ctx: Context, key: HeldKey): DeferredResult<unknown> => ctx.tx.all(release, key)
