import { sql } from 'kysely'
import { defineLookup, defineQuery, pick } from '../../db/query.ts'
import { query } from '../../db/statement.ts'
import { ApiError } from '../../errors.ts'

/** The scope of a key, and the key as the client sent it. */
export interface KeyName {
  readonly scope: string
  readonly key: string
}

/** A key as one request takes it. */
export interface ClaimedKey extends KeyName {
  /** Made anew by each request that takes the key. */
  readonly token: string
  /** What the request asks for. */
  readonly fingerprint: Buffer
  /** The number of the advisory lock that is held while the key is being taken. */
  readonly lock: string
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

/**
 * Takes the key for this transaction. If it cannot be had, the transaction fails with KeyTaken, and nothing that is sent
 * behind this is done. Before its commit, the transaction leases or answers the key, or leaves it free.
 */
export const takeKey = defineQuery(
  'take_idempotency_key',
  (v: ClaimedKey) =>
    sql`select app.take_idempotency_key(${v.scope}, ${v.key}, ${v.fingerprint}, ${v.lock}::int8)`,
  TAKEN,
)

/** Keeps the key beyond this transaction, which has taken it. */
export const leaseKey = defineQuery(
  'lease_idempotency_key',
  (v: ClaimedKey) =>
    query
      .insertInto('idempotency_keys')
      .values({ ...pick(v, 'scope', 'key', 'token', 'fingerprint'), leased_until: untilLeaseEnds }),
  TAKEN,
)

/** Stores the answer together with this transaction, which has taken the key. */
export const answerTakenKey = defineQuery(
  'answer_taken_idempotency_key',
  (v: ClaimedKey & KeptAnswer) =>
    query
      .insertInto('idempotency_keys')
      .values(pick(v, 'scope', 'key', 'token', 'fingerprint', 'status', 'content_type', 'body')),
  TAKEN,
)

/** The row of a key; undefined if it is unused, or used by a transaction that is still open. */
export const findKey = defineLookup('read_idempotency_key', (v: KeyName) =>
  query
    .selectFrom('idempotency_keys')
    .select(['token', 'fingerprint', 'status', 'content_type', 'body'])
    .where('scope', '=', v.scope)
    .where('key', '=', v.key),
).first()

const isClaimed = (v: ClaimedKey) =>
  sql<boolean>`scope = ${v.scope} and key = ${v.key} and token = ${v.token}`

/** Answers nothing if another request holds the key by now. */
export const renewKey = defineQuery('renew_idempotency_key', (v: ClaimedKey) =>
  query
    .updateTable('idempotency_keys')
    .set({ leased_until: untilLeaseEnds })
    .where(isClaimed(v))
    .where('status', 'is', null)
    .returning('token'),
).first()

/** Stores the answer of a leased key. Answers nothing if another request holds the key by now. */
export const answerKey = defineQuery('answer_idempotency_key', (v: ClaimedKey & KeptAnswer) =>
  query
    .updateTable('idempotency_keys')
    .set({ leased_until: null, ...pick(v, 'status', 'content_type', 'body') })
    .where(isClaimed(v))
    .returning('token'),
).first()

/** Whether the transaction has changed or locked anything so far. Deferred writes do not count. */
export const hasWritten = defineQuery(
  'has_written',
  () => sql<{ has_written: boolean }>`select pg_current_xact_id_if_assigned() is not null as has_written`,
)
  .map(({ has_written }) => has_written)
  .single()

/** Releases a leased key: the next request with it is handled anew. */
export const releaseKey = defineQuery('release_idempotency_key', (v: ClaimedKey) =>
  query.deleteFrom('idempotency_keys').where(isClaimed(v)).where('status', 'is', null),
)
