import type { Page, Pages } from '@guildhall/sdk'
import type { Fetched } from './list-query.ts'

/**
 * A page of a list of the API that has no numbers of pages, such as courses: it is read from its beginning.
 * @param list asked for with pages of any size
 */
export async function linkedPage<Row>(list: Pages<Row>, page: number, size: number): Promise<Fetched<Row>> {
  const rows: Row[] = []
  let last: Page<Row> | undefined
  for await (last of list.pages()) {
    rows.push(...last.data)
    if (rows.length > page * size) break
  }
  const isMore = rows.length > page * size || (last !== undefined && last.next_cursor !== null)
  return { data: rows.slice((page - 1) * size, page * size), next_cursor: isMore ? 'next' : null }
}
