import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { type AnswerOf, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

/** Hours for which a replaced secret goes on signing, and is accepted. */
const OVERLAP_HOURS = 24

/** The hook that is asked about posts, with its sealed secrets. */
export const hookInUse = defineQuery('moderation_hook', () =>
  query
    .selectFrom('moderation_rules')
    .select(['id', 'url', 'on_timeout', 'secret'])
    .select(
      sql<Buffer | null>`case when previous_secret_until > ${now} then previous_secret end`.as(
        'previous_secret',
      ),
    )
    .where('kind', '=', 'hook')
    .where('enabled', '=', true),
).first()
export type HookInUse = NonNullable<AnswerOf<typeof hookInUse>>

/** Replaces the secret of a hook; the one before goes on for a day. */
export const replaceHookSecret = defineQuery('replace_hook_secret', (v: { id: string; secret: Buffer }) =>
  query
    .updateTable('moderation_rules')
    .set((row) => ({
      previous_secret: row.ref('secret'),
      previous_secret_until: sql`${now} + interval '${sql.lit(OVERLAP_HOURS)} hours'`,
      ...pick(v, 'secret'),
      updated_at: now,
    }))
    .where('id', '=', v.id),
)
