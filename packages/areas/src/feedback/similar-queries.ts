import { sql } from 'kysely'
import { defineQuery, deriveQuery } from '#platform/db/query.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { alike, type Sought, sought } from '#platform/search/search.ts'
import { itemsOf, seenBy } from './queries.ts'
import { toItem } from './rows.ts'

interface Values extends Sought {
  leftOut: string | null
  viewer: Viewer
  member: string | null
}

/** Items that are alike at the most. */
export const MOST_SIMILAR = 10
/** Of those found, some are duplicates of others. */
const LOOKED_AT = 5 * MOST_SIMILAR

const similar = defineQuery('similar_feedback', (v: Values) =>
  itemsOf()
    .select(seenBy(v.member))
    .innerJoin(alike('feedback', v, LOOKED_AT).as('hit'), 'hit.id', 'f.id')
    .where('f.merged_into', 'is', null)
    .where(sql<boolean>`f.id is distinct from ${v.leftOut}::uuid`)
    .orderBy('hit.rank', 'desc')
    .orderBy('f.id', 'desc')
    .limit(MOST_SIMILAR),
).map((row, { viewer }) => toItem(row, viewer))

interface Like {
  readonly viewer: Viewer
  readonly words: string
  /** An item that is not meant itself. */
  readonly leftOut: string | null
}

/** Items with a title like these words, the most alike first. Duplicates are left out for what they are merged into. */
export const listSimilar = deriveQuery(({ viewer, words, leftOut }: Like) =>
  similar({
    ...sought(words, { audiences: isStaff(viewer) ? null : ['public'] }),
    leftOut,
    viewer,
    member: viewer.memberId,
  }),
)
