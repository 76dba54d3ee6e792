import { sql } from 'kysely'
import { audit } from '#platform/audit.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

// The audit log says which project is a demo, and what of its data was made. So a run that was ended goes on where it
// stopped, and nothing that somebody deleted comes back.

const PREFIX = 'demo.'
/** What a project is marked with when it is made as a demo: nothing else is ever filled. */
export const CREATED = 'create'

/** What a project was filled with so far; nothing for one that is no demo. */
export const readMarks = defineQuery('demo_marks', () =>
  query
    .selectFrom('audit_log')
    .select('action')
    .where('actor_kind', '=', 'operator')
    .where(sql<boolean>`action like ${`${PREFIX}%`}`),
).map(({ action }) => action.slice(PREFIX.length))

/** Notes that a part is there, in the transaction that makes it. @param project the public id */
export const mark = (ctx: Context, part: string, project: string): void =>
  audit(ctx, { action: `${PREFIX}${part}`, target: project })

/** Has a second run that makes the same part of the same project wait for the end of this transaction. */
export const lockPart = defineQuery(
  'lock_demo_part',
  (v: { name: string }) =>
    sql`select pg_advisory_xact_lock(hashtextextended('demo ' || ${v.name}::text || ' ' || app.current_project(), 0))`,
)
