import { type InferResult, type SqlBool, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { type AnswerOf, defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { limitReached } from '#platform/define-error.ts'
import { definePatch, field } from '#platform/http/define-patch.ts'
import { toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { choice } from '#platform/lists/list-filters.ts'
import { ruleId } from '../ids.ts'
import { type Fingerprint, fold } from './fingerprint.ts'
import { type Action, type Kind, type ListedRule, type NewRule, type Rule, StoredChanges } from './schema.ts'

const columns = [
  ...(['id', 'kind', 'name', 'enabled', 'action', 'younger_than_hours', 'fewer_posts_than'] as const),
  ...(['max_links', 'max_posts', 'per_minutes', 'url', 'on_timeout', 'created_at', 'updated_at'] as const),
] as const
const rules = () =>
  query
    .selectFrom('moderation_rules as r')
    .select(columns.map((column) => `r.${column}` as const))
    .select(sql<number>`cardinality(r.words)`.as('word_count'))

const toListed = (row: InferResult<ReturnType<typeof rules>>[number]): ListedRule => ({
  ...row,
  id: toId(ruleId, row.id),
  kind: row.kind as Kind,
  action: row.action as Action,
  on_timeout: row.on_timeout as ListedRule['on_timeout'],
})

/** Rules, the newest first, without their words. */
export const listRules = defineList({
  label: 'moderation_rules',
  rows: rules,
  map: toListed,
  key: 'r.id',
  filters: {
    enabled: choice<boolean>((enabled) => (enabled ? sql<SqlBool>`r.enabled` : sql<SqlBool>`not r.enabled`)),
  },
})

const ruleById = defineLookup('moderation_rule', (v: { id: string }) =>
  rules().select('r.words').where('r.id', '=', v.id),
)
/** @throws ApiError 404 */
export const getRule = ruleById
  .map((row): Rule => ({ ...toListed(row), words: row.words }))
  .one('Moderation rule')

/** Changes of rules take turns, so that all together have no more words than they may. */
export const lockRules = defineQuery(
  'lock_moderation_rules',
  () =>
    sql<object>`select pg_advisory_xact_lock(hashtextextended('moderation rules of ' || app.current_project(), 0))`,
)
/** The words of all rules. */
export const countWords = defineQuery('count_words_of_rules', () =>
  query
    .selectFrom('moderation_rules')
    .select(sql<number>`coalesce(sum(cardinality(words)), 0)::int4`.as('words')),
)
  .map(({ words }) => words)
  .single()

const secondHook = (cause: unknown) =>
  limitReached(cause, {
    message: 'A project can have one moderation hook: change it, or remove it first',
    ...{ limit: 1, what: 'moderation hooks' },
  })

const foldAll = (words: readonly string[]): string[] =>
  [...new Set(words.map(fold))].filter((word) => word !== '')

const OPTIONAL = ['max_links', 'max_posts', 'per_minutes', 'younger_than_hours', 'fewer_posts_than'] as const

interface NewRow {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly enabled: boolean
  readonly action: string
  readonly words: readonly string[]
  readonly folded: readonly string[]
  readonly max_links: number | null
  readonly max_posts: number | null
  readonly per_minutes: number | null
  readonly younger_than_hours: number | null
  readonly fewer_posts_than: number | null
  readonly url: string | null
  readonly on_timeout: string | null
  readonly secret: Buffer | null
}

/** @throws ApiError 422 LIMIT_REACHED, also for a second hook */
export const insertRule = defineQuery(
  'insert_moderation_rule',
  (v: NewRow) =>
    query.insertInto('moderation_rules').values({
      ...pick(v, 'id', 'kind', 'name', 'enabled', 'action', 'url', 'on_timeout', 'secret', ...OPTIONAL),
      words: sql`${v.words}::text[]`,
      folded: sql`${v.folded}::text[]`,
      created_at: now,
      updated_at: now,
    }),
  { moderation_rules_hook_key: secondHook },
)

/** @param secret sealed, of a hook */
export const toNewRow = (id: string, input: NewRule, secret: Buffer | null): NewRow => ({
  ...{ id, kind: input.kind, name: input.name ?? '', enabled: input.enabled ?? true },
  ...{ action: input.action ?? 'hold', words: input.words ?? [], folded: foldAll(input.words ?? []) },
  ...{ max_links: input.max_links ?? null, max_posts: input.max_posts ?? null },
  ...{ per_minutes: input.per_minutes ?? null, url: input.url ?? null, secret },
  on_timeout: input.on_timeout ?? (input.kind === 'hook' ? 'hold' : null),
  ...{
    younger_than_hours: input.younger_than_hours ?? null,
    fewer_posts_than: input.fewer_posts_than ?? null,
  },
})

/** Changes what is sent. @throws ApiError 404; 412 */
export const changeRule = definePatch('moderation_rules', {
  body: StoredChanges,
  current: getRule,
  columns: ['name', 'enabled', 'action', 'url', 'on_timeout', ...OPTIONAL],
  fields: {
    words: field(
      (words: string[]) => ({ words, folded: foldAll(words) }),
      (v) => ({ words: sql`${v.words}::text[]`, folded: sql`${v.folded}::text[]` }),
    ),
  },
  also: { updated_at: now },
})

/** @throws ApiError 404 */
export const removeRule = defineQuery('delete_moderation_rule', (v: { id: string }) =>
  query.deleteFrom('moderation_rules').where('id', '=', v.id).returning('id'),
).one('Moderation rule')

/** Words of a rule that a text may have, of which there can be more than anybody wants to read. */
const MOST_CANDIDATES = 1_000

/** The rules that are used, each with those of its words that begin with a word of the text. */
export const rulesInUse = defineQuery('moderation_rules_in_use', (v: { tokens: readonly string[] }) =>
  query
    .selectFrom('moderation_rules as r')
    .select(['r.id', 'r.kind', 'r.name', 'r.action', 'r.max_links', 'r.max_posts', 'r.per_minutes'])
    .select(['r.younger_than_hours', 'r.fewer_posts_than'])
    .select(
      sql<string[]>`array(select w.word from unnest(r.folded) as w (word)
        where split_part(w.word, ' ', 1) in (select unnest(${v.tokens}::text[])) limit ${sql.lit(MOST_CANDIDATES)})`.as(
        'candidates',
      ),
    )
    .where('r.enabled', '=', true)
    .orderBy('r.id'),
)
export type RuleInUse = AnswerOf<typeof rulesInUse>[number]

/** Posts that are looked at to count those of a member: no rule asks for more. */
const MOST_POSTS = sql.lit(100)

/** When the posts of a member were written, the last hundred, and how many of them others can see. */
export const recordOf = defineQuery(
  'posts_of_author',
  (v: { member: string }) => sql<{ hours: number; shown: number; minutes_ago: number[] }>`
    with last as (
      (select id, created_at, status from comments where author_id = ${v.member}::uuid order by id desc limit ${MOST_POSTS})
      union all
      (select id, created_at, status from discussions where author_id = ${v.member}::uuid order by id desc limit ${MOST_POSTS})
      union all
      (select id, created_at, case when shown_as is null then 'visible' else 'pending' end
        from feedback where author_id = ${v.member}::uuid order by id desc limit ${MOST_POSTS})
      union all
      (select id, created_at, case when shown_as is null then 'visible' else 'pending' end
        from feedback_comments where author_id = ${v.member}::uuid order by id desc limit ${MOST_POSTS}))
    select (extract(epoch from ${now} - m.created_at) / 3600)::float8 as hours,
      (select count(*)::int4 from last where status = 'visible') as shown,
      array(select (extract(epoch from ${now} - created_at) / 60)::float8 from last) as minutes_ago
    from members m where m.id = ${v.member}::uuid`,
).first()

/** Posts of one member are judged one after the other: each sees those before it. */
export const lockAuthor = defineQuery(
  'lock_author',
  (v: { member: string }) =>
    sql<object>`select pg_advisory_xact_lock(hashtextextended('posts of ' || ${v.member}::text, 0))`,
)

/** Bits in which texts differ that are nearly the same. */
const NEAR = sql.lit(6)
/** Recent posts that a post is compared with: of all members, and of its author. */
const MOST_COMPARED = sql.lit(450)

interface Compared {
  /** Null where no member is named: they are compared with each other. */
  readonly member: string | null
  readonly minutes: number
  readonly simhash: string
  readonly checksum: string
  readonly is_short: boolean
  /** The post itself, where it is changed. */
  readonly except: string | null
}
/** Whether a recent post says the same, or nearly. Short texts are compared with those of the same author alone. */
export const isRepeated = defineQuery('post_is_repeated', (v: Compared) =>
  query.selectNoFrom(
    sql<boolean>`exists (
      select from (
        (select * from post_fingerprints where created_at > ${now} - make_interval(mins => ${v.minutes}::int4)
          order by created_at desc limit ${MOST_COMPARED})
        union all
        (select * from post_fingerprints where author_id = ${v.member}::uuid
          and created_at > ${now} - make_interval(mins => ${v.minutes}::int4) order by created_at desc limit ${MOST_COMPARED})) as f
      where f.id is distinct from ${v.except}::uuid and case
        when ${v.is_short}::boolean then f.author_id is not distinct from ${v.member}::uuid and f.checksum = ${v.checksum}::int8
        else not f.is_short and bit_count((f.simhash # ${v.simhash}::int8)::bit(64)) <= ${NEAR} end)`.as(
      'is_repeated',
    ),
  ),
)
  .map(({ is_repeated }) => is_repeated)
  .single()

interface Kept {
  readonly id: string
  readonly author_id: string | null
  readonly simhash: string
  readonly checksum: string
  readonly is_short: boolean
}
/** Keeps what a post says, and forgets what older ones say. */
export const keepFingerprint = defineQuery(
  'keep_post_fingerprint',
  (v: Kept) => sql<object>`
    with old as (
      delete from post_fingerprints where id in (
        select id from post_fingerprints where created_at < ${now} - interval '1 day' order by created_at limit 20))
    insert into post_fingerprints (id, author_id, simhash, checksum, is_short, created_at)
    values (${v.id}, ${v.author_id}, ${v.simhash}::int8, ${v.checksum}::int8, ${v.is_short}, ${now})
    on conflict (project_id, id) do update set simhash = excluded.simhash, checksum = excluded.checksum,
      is_short = excluded.is_short, created_at = excluded.created_at`,
)

export const toStored = ({ simhash, checksum, isShort }: Fingerprint) => ({
  simhash,
  checksum,
  is_short: isShort,
})
