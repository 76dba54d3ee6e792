import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

// Statements for lines that are no plain rows.

/** Members of this project with these ids, erased ones included, and live ones with these addresses in lower case. */
export const findMembers = defineQuery(
  'members_of_import',
  (v: { ids: readonly string[]; emails: readonly string[] }) => sql<{ id: string; email: string | null }>`
    select id, null::text as email from members where id = any (${v.ids}::uuid[])
    union all
    select id, email_key from members where email_key = any (${v.emails}::text[]) and deleted_at is null`,
)

/** Adds members of whom only the id is left, as an erased member is stored. */
export const insertFormer = defineQuery('import_former_members', (v: { ids: readonly string[] }) =>
  query
    .insertInto('members')
    .columns([
      ...(['id', 'email', 'full_name', 'role', 'status', 'plan_id', 'plan_version', 'metadata'] as const),
      ...(['created_at', 'updated_at', 'deleted_at', 'anonymized_at'] as const),
    ])
    .expression(
      sql`select f.id, f.id || '@anonymized.invalid', '', 'member', 'active', p.id, p.version, '{}',
          ${now}, ${now}, ${now}, ${now}
        from unnest(${v.ids}::uuid[]) as f (id), plans p where p.is_default`,
    ),
)

export const findCategories = defineQuery('categories_by_slugs', (v: { slugs: readonly string[] }) =>
  query
    .selectFrom('discussion_categories')
    .select(['id', 'slug'])
    .where('slug', '=', sql<string>`any (${v.slugs}::text[])`),
)

export const findPlans = defineQuery('plans_by_slugs', (v: { slugs: readonly string[] }) =>
  query.selectFrom('plans').select(['id', 'slug']).where('slug', '=', sql<string>`any (${v.slugs}::text[])`),
)

export const insertCategories = defineQuery('import_categories', (v: { rows: string }) =>
  query
    .insertInto('discussion_categories')
    .columns([
      ...(['id', 'slug', 'name', 'description', 'position', 'required_plans', 'moderated'] as const),
      ...(['created_at', 'updated_at'] as const),
    ])
    .expression(
      sql`select r.* from json_to_recordset(${v.rows}::json) as r (id uuid, slug text, name text, description text,
        position integer, required_plans uuid[], moderated boolean, created_at timestamptz, updated_at timestamptz)`,
    ),
)

/** Files whose bytes come later in the file of the import; those that never come are swept in a week. */
export const insertFiles = defineQuery('import_files', (v: { rows: string }) =>
  query
    .insertInto('files')
    .columns([
      ...(['id', 'name', 'size', 'content_type', 'visibility', 'owner_id', 'created_at', 'due_at'] as const),
    ])
    .expression(
      sql`select r.id, r.name, 0, r.content_type, r.visibility, r.owner_id, r.created_at, now() + interval '7 days'
        from json_to_recordset(${v.rows}::json) as r (id uuid, name text, content_type text, visibility text,
          owner_id uuid, created_at timestamptz)`,
    ),
)

/** Says which posts refer to which files. @param v.rows [{file_id, target_id}] */
export const attachFiles = defineQuery('import_attachments', (v: { kind: string; rows: string }) =>
  query
    .insertInto('file_attachments')
    .columns(['file_id', 'target_kind', 'target_id'])
    .expression(
      sql`select r.file_id, ${v.kind}::text, r.target_id
        from json_to_recordset(${v.rows}::json) as r (file_id uuid, target_id uuid)
        where exists (select from files f where f.id = r.file_id)`,
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/** Counts and weighs the reports of cases: what a file says of it is not asked for. */
export const recountReports = defineQuery('recount_imported_reports', (v: { cases: readonly string[] }) =>
  query
    .updateTable('moderation_cases as k')
    .set({
      reports: sql`(select count(*) from reports r where r.case_id = k.id and r.counts)`,
      weight: sql`(select coalesce(sum(r.weight), 0) from reports r where r.case_id = k.id and r.counts)`,
    })
    .where('k.id', '=', sql<string>`any (${v.cases}::uuid[])`),
)

export const setAnswer = defineQuery('import_answer', (v: { id: string; comment_id: string }) =>
  query.updateTable('discussions').set({ answer_id: v.comment_id }).where('id', '=', v.id),
)

/** Merges an item into another one, and counts the voters of all above it anew. Lock the tree first. */
export const mergeInto = defineQuery('import_merge', (v: { id: string; into: string }) =>
  query.updateTable('feedback').set({ merged_into: v.into }).where('id', '=', v.id),
)
export const recountAbove = defineQuery('recount_feedback_above', (v: { id: string }) =>
  query.selectNoFrom(
    sql`app.recount_feedback(array(select app.feedback_upwards(${v.id}::uuid)))`.as('recounted'),
  ),
)
export const lockTree = defineQuery('lock_feedback_tree_for_import', () =>
  query.selectNoFrom(sql`app.lock_feedback_tree(true)`.as('locked')),
)
