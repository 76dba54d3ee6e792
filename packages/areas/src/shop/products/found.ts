import { sql } from 'kysely'
import { answering, defineQuery, mapAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'
import { forgetInSearch, keepFindable, type SearchDocument } from '#platform/search/documents.ts'
import { SHOWN_CHARACTERS } from '#platform/search/plain-text.ts'
import type { SearchSource } from '#platform/search/source.ts'
import { productId } from '../ids.ts'

const PRODUCT = 'product'

const active = () =>
  query.selectFrom('products').where('deleted_at', 'is', null).where('is_active', '=', true)

const shown = defineQuery('found_products', (v: { ids: readonly string[] }) =>
  active()
    .select(['id', 'name as title'])
    .select(sql<string>`left(description, ${sql.lit(SHOWN_CHARACTERS)})`.as('text'))
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`),
)
const load = defineQuery('products_to_find', (v: { after: string | null; limit: number }) =>
  active()
    .select(['id', 'name', 'description', 'category'])
    .select(sql<string>`created_at::text`.as('written_at'))
    .where(sql<boolean>`(${v.after}::uuid is null or id > ${v.after}::uuid)`)
    .orderBy('id')
    .limit(v.limit)
    .forShare(),
)

interface Row {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly category: string
}
const documentOf = ({ id, name, description, category }: Row): SearchDocument => ({
  ...{ kind: PRODUCT, id, title: name, text: description, audience: ['public'], isShort: true },
  categories: [category],
})

/** Lets a product be found as it is by now: nobody finds one that cannot be bought. */
export function refreshSearch(ctx: Context, product: Row & { readonly is_active: boolean }): void {
  if (product.is_active) keepFindable(ctx, documentOf(product))
  else forgetInSearch(ctx, PRODUCT, [product.id])
}
export const forgetProduct = (ctx: Context, id: string) => forgetInSearch(ctx, PRODUCT, [id])

export const searchSource: SearchSource = {
  kind: PRODUCT,
  permission: 'read:commerce',
  audiencesOf: () => answering(['public']),
  show: ({ ids }) =>
    mapAnswer(shown({ ids }), (rows) =>
      rows.map((row) => {
        const publicId = toId(productId, row.id)
        return { ...row, locale: '', publicId, path: `/shop/products/${publicId}` }
      }),
    ),
  load: async (ctx, v) => {
    const rows = await load(ctx, v)
    const documents = rows.map(({ written_at, ...row }) => ({ ...documentOf(row), writtenAt: written_at }))
    return { documents, last: rows.at(-1)?.id }
  },
}
