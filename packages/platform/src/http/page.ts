import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TProperties, Type } from 'typebox'

/** Directions of sorting. */
export const ORDERS = ['asc', 'desc'] as const

/** The largest number of records on a page. */
export const LARGEST_PAGE = 100

const cursor = Type.Optional(
  Type.String({
    title: 'Cursor',
    minLength: 1,
    maxLength: 4096,
    description: 'The `next_cursor` of the previous page; order, filters and search must be the same',
  }),
)

/** The query parameters of a list. Their titles are their names in the API's document. */
export const pageParameters = {
  page: Type.Integer({
    title: 'Page',
    minimum: 1,
    maximum: 1_000_000_000,
    default: 1,
    description: 'The number of the page, from 1; a page after the last one is empty',
  }),
  limit: Type.Integer({
    title: 'Limit',
    minimum: 1,
    maximum: LARGEST_PAGE,
    default: 20,
    description: 'The largest number of records on a page',
  }),
  cursor,
}

/** The query parameters of a list that shows no pagination: the next page is in the header `Link`. */
export const cursorParameters = (byDefault: number) => ({
  limit: Type.Integer({
    minimum: 1,
    maximum: LARGEST_PAGE,
    default: byDefault,
    description: 'The largest number of records on a page; the next page is in the header `Link`',
  }),
  cursor: Type.Optional(
    Type.String({
      title: 'LinkCursor',
      minLength: 1,
      maxLength: 4096,
      description: 'The place to continue: the `cursor` of the `Link` header of the previous page',
    }),
  ),
})

/** The query parameter of a list that can be searched. @param description what is looked in */
export const searchParameter = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

/** Query parameters that choose the page, the order and the fields. */
const OF_PAGES = new Set(['page', 'limit', 'cursor', 'sort', 'order', 'include', 'fields'])

/** The query parameters of a list that leave rows out. */
export const filtersOf = ({ properties }: { readonly properties: TProperties }): TProperties =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !OF_PAGES.has(name)))

/** A field of items of a list whose texts can be long: which of them are cut, so that the answer is at most 8 MiB. */
export const Truncated = Type.Optional(
  Type.Array(Type.String({ examples: ['content'] }), {
    description:
      'The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor`',
    examples: [['content']],
  }),
)

/** The page that a request asks for, as its schema parsed it. */
export interface PageRequest {
  readonly page: number
  readonly limit: number
  readonly cursor?: string | undefined
}

/** The position of a page in its list; a page that is reached by a cursor has no number and no total. */
export interface Pagination {
  page?: number
  limit: number
  total?: number
  total_pages?: number
  total_capped?: true
  next_cursor: string | null
}

/** A page of a list. */
export interface Page<R> {
  readonly rows: readonly R[]
  readonly pagination: Pagination
}

/** A page of what is made of each row. */
export const mapPage = <R, T>({ rows, pagination }: Page<R>, toItem: (row: R) => T): Page<T> => ({
  rows: rows.map((row) => toItem(row)),
  pagination,
})

/** Links to the next page of a list without pagination. */
export function linkNext(
  request: FastifyRequest,
  reply: FastifyReply,
  { next_cursor }: Pick<Pagination, 'next_cursor'>,
): void {
  if (next_cursor === null) return
  const [path = '', search = ''] = request.originalUrl.split('?')
  const parameters = new URLSearchParams(search)
  parameters.set('cursor', next_cursor)
  const next = `<${path}?${parameters}>; rel="next"`
  const others = reply.getHeader('link')
  reply.header('link', others === undefined ? next : `${others}, ${next}`)
}
