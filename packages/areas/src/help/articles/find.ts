import { forgetInSearch, keepFindable } from '#platform/db/search/documents.ts'
import type { Context } from '#platform/db/tenant.ts'
import { listFindable } from './version-queries.ts'

/** What articles are called in the search. */
export const ARTICLE = 'article'

/** Lets readers find what there is of an article by now, in all its languages, and nothing else of it. */
export async function refreshSearch(ctx: Context, id: string): Promise<void> {
  forgetInSearch(ctx, ARTICLE, [id])
  for (const { locale, title, plain_text, labels, audience } of await listFindable(ctx, id))
    keepFindable(ctx, {
      kind: ARTICLE,
      id,
      locale,
      title,
      text: `${labels.join('\n')}\n${plain_text}`,
      audience,
    })
}
