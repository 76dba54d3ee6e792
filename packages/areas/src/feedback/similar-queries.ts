import { sql } from 'kysely'
import { alike, type Sought, sought } from '#platform/db/search/search.ts'
import { statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { Visitor } from './access.ts'
import { itemsOf, seenBy } from './queries.ts'

interface Values extends Sought {
  leftOut: string | null
  viewer: string | null
}

/** Items that are alike at the most. */
export const MOST_SIMILAR = 10
/** Of those found, some are duplicates of others. */
const LOOKED_AT = 5 * MOST_SIMILAR

const similar = statement('similar_feedback', (v: Values) =>
  itemsOf()
    .select(seenBy(v.viewer))
    .innerJoin(alike('feedback', v, LOOKED_AT).as('hit'), 'hit.id', 'f.id')
    .where('f.merged_into', 'is', null)
    .where(sql<boolean>`f.id is distinct from ${v.leftOut}::uuid`)
    .orderBy('hit.rank', 'desc')
    .orderBy('f.id', 'desc')
    .limit(MOST_SIMILAR),
)
/**
 * Items with a title like these words, the most alike first. Duplicates are left out for what they are merged into.
 * @param leftOut an item that is not meant itself
 */
export const listSimilar = (ctx: Context, visitor: Visitor, words: string, leftOut: string | null) =>
  ctx.tx.all(similar, {
    ...sought(words, { audiences: visitor.isTeam ? null : ['public'] }),
    leftOut,
    viewer: visitor.memberId,
  })
