import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FindPage, Parts, Rows, Values, Variant } from './list-parts.ts'
import { conditions, namesOf, sortOf, withCursor } from './list-sql.ts'

/**
 * The page that a search finds, with its total in each row, in one statement: what filters and sorts is known to the function. Where
 * the page is empty, one row carries the total and no id.
 */
export function foundPageQuery(
  parts: Parts,
  findPage: FindPage,
  variant: Variant,
  v: Values,
): RawBuilder<unknown> {
  const { key, rows, scope } = parts
  const sort = sortOf(parts, variant)
  const filter = filterOf(parts, variant, v)
  const isAfter = variant.way === 'after'
  const found = findPage({
    search: variant.search ? v.search : null,
    pattern: variant.search ? v.pattern : null,
    filter,
    sort: variant.sort,
    order: variant.order,
    afterValue: isAfter ? v.after_0 : null,
    afterKey: isAfter ? v.after_key : null,
    limit: v.limit,
    offset: variant.way === 'skip' ? v.offset : 0,
    counts: !isAfter,
  })
  const shown: Rows<unknown> = conditions(scope, namesOf(scope), v).reduce(
    (all, each) => all.where(each),
    rows(v),
  )
  const page = withCursor(sort, shown)
    .select(sql`array_position(found.ids, ${key})`.as('found_at'))
    .where(sql`${key} = any (found.ids)`)
  return sql`select found.found_total, page.*
    from (select ids, total as found_total from ${found}) as found left join lateral (${page}) as page on true
    order by page.found_at`
}

/** Adds a condition to rows that have the key: a search finds them, among the first so many. */
export function narrowedToFound<R>(
  { parts, findPage, most }: { readonly parts: Parts; readonly findPage: FindPage; readonly most: number },
  variant: Pick<Variant, 'filters' | 'search'>,
  v: Values,
  rows: Rows<R>,
): Rows<R> {
  const { scope, sorts, key } = parts
  const found = findPage({
    search: variant.search ? v.search : null,
    pattern: variant.search ? v.pattern : null,
    filter: filterOf(parts, variant, v),
    ...{ sort: Object.keys(sorts)[0] ?? '', order: 'desc', afterValue: null, afterKey: null },
    ...{ limit: most, offset: 0, counts: false },
  })
  const shown = conditions(scope, namesOf(scope), v).reduce((all, each) => all.where(each), rows)
  return shown.where(sql<SqlBool>`${key} in (select unnest(ids) from ${found})`)
}

/** The value of a filter or of the scope, for a function that filters by itself. */
function filterOf({ scope }: Parts, variant: Pick<Variant, 'filters'>, v: Values) {
  const words = new Map(variant.filters.map(([name, word]) => [name, word]))
  return (name: string) => {
    if (name in scope) return sql`${v[name]}`
    if (!words.has(name)) return sql`null`
    const word = words.get(name)
    return word === undefined ? sql`${v[name]}` : sql`${sql.lit(word)}`
  }
}
