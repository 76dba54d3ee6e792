import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { METADATA_BYTES } from './candidate.ts'

const plans = statement('plans_for_import', () =>
  query.selectFrom('plans').select(['id', 'slug', 'is_default']).where('status', '=', 'active'),
)
/** Plans that a member can be on. */
export const listActivePlans = (ctx: Context) => ctx.tx.all(plans, {})

const taken = statement('taken_emails', (v: { keys: string[] }) =>
  query
    .selectFrom('members')
    .select('email_key')
    .where('email_key', '=', sql<string>`any (${v.keys}::text[])`)
    .where('deleted_at', 'is', null),
)
/** Which of these addresses, in lower case, live members have. */
export const listTaken = (ctx: Context, keys: string[]) => ctx.tx.all(taken, { keys })

const oversize = statement('oversize_metadata', (v: { texts: string[] }) =>
  query
    .selectFrom(
      sql<{ place: number }>`unnest(${v.texts}::text[]) with ordinality`.as<'given'>(
        sql`given (metadata, place)`,
      ),
    )
    .select('given.place')
    .where(sql<boolean>`octet_length(given.metadata::jsonb::text) > ${sql.lit(METADATA_BYTES)}`),
)
/** Which of these, counted from 1, PostgreSQL would spell longer than it keeps: numbers like 1e300. */
export const listOversize = (ctx: Context, texts: string[]) => ctx.tx.all(oversize, { texts })
