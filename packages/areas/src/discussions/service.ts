import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { keepFindable } from '#platform/search/documents.ts'
import { commentDocument } from './found.ts'
import { holdNew } from './moderation/asking.ts'
import { closeCases } from './moderation/closing.ts'
import { judgeEdit } from './moderation/service.ts'
import * as settings from './settings.ts'
import { SEARCHED } from './threads/list.ts'
import { COMMENT_FILES, DISCUSSION_FILES, toWritten } from './written.ts'

/** How a side of a project works with this area, for its operators. */
export const { assertDiscussionSettings, findDiscussionSettings, updateDiscussionSettings } = settings

// For areas whose posts are moderated with those of discussions, which have the cases.

export { closeCases, holdNew, judgeEdit }

// For imports, which store posts in the same way as those that are written here.

/** What is stored of a text that was rendered. */
export const writtenOf = toWritten

/** What attachments refer from, by the kind of the post. */
export const POST_FILES: Readonly<Record<string, string>> = {
  discussion: DISCUSSION_FILES,
  comment: COMMENT_FILES,
}

/** A post that was stored. */
interface Imported {
  readonly id: string
  readonly author_id: string
  readonly status: string
  readonly created_at: string
  /** Its text without markup. */
  readonly text: string
}

const categoriesOf = defineQuery('categories_of_discussions', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('discussions')
    .select(['id', 'category_id'])
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`),
)

/** Lets discussions be found by those who may read them. */
export function findableDiscussions(
  ctx: Context,
  posts: readonly (Imported & { readonly title: string; readonly category_id: string })[],
): void {
  for (const { id, title, text, status, category_id, author_id, created_at } of posts)
    keepFindable(ctx, {
      ...{ kind: SEARCHED, id, title, text, audience: status === 'visible' ? [category_id] : [] },
      ...{ author: author_id, categories: [category_id], writtenAt: created_at },
    })
}

/** The same for comments; those that were removed are not found. */
export async function findableComments(
  ctx: Context,
  posts: readonly (Imported & { readonly discussion_id: string })[],
): Promise<void> {
  const there = posts.filter(({ status }) => status !== 'removed')
  const rows = await categoriesOf(ctx, { ids: there.map(({ discussion_id }) => discussion_id) })
  const categories = new Map(rows.map(({ id, category_id }) => [id, category_id]))
  for (const { id, author_id, discussion_id, text, created_at } of there) {
    const category = categories.get(discussion_id)
    if (category === undefined) continue
    keepFindable(ctx, {
      ...commentDocument({ id, author_id }, { text, category }),
      writtenAt: created_at,
    })
  }
}
