import { sql } from 'kysely'
import { publicIdOf } from './actor.ts'
import { defineQuery } from './db/query.ts'
import { query } from './db/statement.ts'
import type { Context } from './db/tenant.ts'
import { newUuid, toId } from './ids.ts'
import { currentRequestId } from './telemetry/request-context.ts'

/** An entry of the audit log. */
export interface AuditEntry {
  /** `noun.verb`, like `refund.create`. */
  readonly action: `${string}.${string}`
  /** The public id of what was changed. */
  readonly target: string
  /** The reason that the actor gave. */
  readonly reason?: string | undefined
  /** The state before and after: ids and settings, never texts of members. */
  readonly before?: object | undefined
  readonly after?: object | undefined
  /** The public id of the member for whom a key acts. */
  readonly onBehalfOf?: string | undefined
}

interface Row {
  id: string
  actorKind: string
  actorId: string | null
  onBehalfOf: string | null
  ip: string | null
  action: string
  target: string
  reason: string | null
  before: string | null
  after: string | null
  requestId: string | null
}

const insert = defineQuery('insert_audit_entry', (v: Row) =>
  query.insertInto('audit_log').values({
    id: v.id,
    actor_kind: v.actorKind,
    actor_id: v.actorId,
    on_behalf_of: v.onBehalfOf,
    ip: v.ip,
    action: v.action,
    target: v.target,
    reason: v.reason,
    before: sql`${v.before}::jsonb`,
    after: sql`${v.after}::jsonb`,
    request_id: v.requestId,
  }),
)

/**
 * Writes an entry of the audit log in the transaction of the change. A transaction that is rolled back leaves no entry.
 */
export function audit(ctx: Context, entry: AuditEntry): void {
  const row = {
    id: newUuid(),
    ...actorOf(ctx, entry),
    ip: 'address' in ctx.actor ? (ctx.actor.address ?? null) : null,
    action: entry.action,
    target: entry.target,
    reason: entry.reason ?? null,
    before: entry.before === undefined ? null : JSON.stringify(entry.before),
    after: entry.after === undefined ? null : JSON.stringify(entry.after),
    requestId: currentRequestId(),
  }
  ctx.tx.askLast(insert(row))
}

/**
 * Writes an entry where an operator does in the name of a member what members do. Keys do that all day for the members of a site:
 * of them the audit log has nothing.
 * @param member the stored id
 */
export function auditOperator(ctx: Context, entry: AuditEntry, member: string): void {
  const { actor } = ctx
  const isOperator = actor.kind === 'operator' || (actor.kind === 'member' && actor.operatorId !== undefined)
  if (isOperator) audit(ctx, { ...entry, onBehalfOf: toId('member', member) })
}

/** Who acted: of an operator who is logged in as a member the operator, on behalf of the member. */
function actorOf({ actor }: Context, { onBehalfOf }: AuditEntry) {
  if (actor.kind === 'member' && actor.operatorId !== undefined)
    return {
      actorKind: 'operator',
      actorId: toId('operator', actor.operatorId),
      onBehalfOf: toId('member', actor.id),
    }
  return { actorKind: actor.kind, actorId: publicIdOf(actor), onBehalfOf: onBehalfOf ?? null }
}
