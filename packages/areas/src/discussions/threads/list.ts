import { sql } from 'kysely'
import { deriveQuery } from '#platform/db/query.ts'
import { showsAny } from '#platform/http/fields.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { parseId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, condition, equals, hasId, shown } from '#platform/lists/list-filters.ts'
import { found, type Sought, sought } from '#platform/search/search.ts'
import { LONG_FIELDS, longTexts } from '../written.ts'
import { threads } from './rows.ts'
import type { ListQuery } from './schema.ts'

/** What a search looks through. */
export const SEARCHED = 'discussion'

/** Categories that a member without the plan, and whoever has none, cannot enter: access.ts says the same. */
export const closedTo = (plan: unknown) =>
  sql`(select g.id from discussion_categories g
    where g.required_plans <> '{}' and not coalesce(${plan}::uuid = any (g.required_plans), false))`

const ofSlug = (slug: unknown) =>
  sql<string>`(select s.id from discussion_categories s where s.slug = ${slug})`

/** Filters that a counter answers by itself. */
const COUNTED = new Set(['status', 'category', 'entered_with'])

/** @param isShort leaves the long texts unread */
const listOf = (isShort: boolean) =>
  defineList({
    label: isShort ? 'discussions_without_texts' : 'discussions',
    rows: ({ me }) => threads(me as string | null, { isShort }),
    key: 'd.id',
    scope: { me: shown<string | null>() },
    filters: {
      status: equals<string>('d.status'),
      category: condition<string>((slug) => sql<boolean>`d.category_id = ${ofSlug(slug)}`),
      author_id: hasId('d.author_id', (id) => parseId('member', id)),
      pinned: equals<boolean>('d.is_pinned'),
      /** The plan of whoever may enter the categories of this plan alone. */
      entered_with: condition<string | null>((plan) => sql<boolean>`d.category_id not in ${closedTo(plan)}`),
      written_by: condition<string | null>((member) => sql<boolean>`d.author_id = ${member}::uuid`),
      ...between('d.created_at'),
    },
    indexed: ['status', 'category', 'author_id', 'pinned', 'entered_with', 'written_by'],
    sorts: {
      latest: [
        ['d.is_pinned', 'boolean'],
        ['d.last_activity_at', 'timestamptz'],
      ],
      newest: ['d.created_at', 'timestamptz'],
      top: ['d.likes', 'int8'],
      unanswered: [
        [sql`(d.comment_count = 0)`, 'boolean'],
        ['d.created_at', 'timestamptz'],
      ],
    },
    search: {
      toValues: (text) => ({ ...sought(text, { audiences: null }) }),
      // Whom a search answers: the categories that are open. Staff see all.
      ranked: (v, has) =>
        found(
          SEARCHED,
          v as unknown as Sought,
          has('entered_with')
            ? sql`(select coalesce(array_agg(o.id::text), '{}') from discussion_categories o where o.id not in ${closedTo(v.entered_with)})`
            : sql`null`,
        ),
    },
    // Totals by category and status alone come from the counters.
    kept: (given, { status, category, entered_with }) => {
      if ([...given].some((name) => !COUNTED.has(name))) return undefined
      const ofCategory = given.has('category') ? sql`and n.category_id = ${ofSlug(category)}` : sql``
      const gate = given.has('entered_with') ? sql`and n.category_id not in ${closedTo(entered_with)}` : sql``
      return sql<number>`(select coalesce(sum(n.discussions), 0)::int8 from discussion_counts n
      where n.status = ${status} ${ofCategory} ${gate})`
    },
    long: longTexts({ includes: true }),
  })

const list = listOf(false)
const listWithoutTexts = listOf(true)

/** What somebody asks of the list of discussions. */
export interface Listing {
  readonly viewer: Viewer
  readonly filter: ListQuery
}

/** One page of the discussions that the viewer may see. @throws ApiError 400 for a cursor that is none */
export const listThreads = deriveQuery(({ viewer, filter }: Listing) => {
  const { status = 'visible' } = filter
  const gated = !isStaff(viewer)
  const ask = showsAny(filter.fields, LONG_FIELDS) ? list : listWithoutTexts
  return ask({
    ...filter,
    // Only staff may list removed posts.
    status: gated && status === 'removed' ? '' : status,
    me: viewer.memberId,
    ...(gated && { entered_with: viewer.planId }),
    ...(gated && status !== 'visible' && { written_by: viewer.memberId }),
  })
})
