import type { Guildhall } from '@guildhall/sdk'
import {
  hashKey,
  queryOptions,
  type UseQueryResult,
  usePrefetchQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Environment } from './console-api.ts'
import { projectClient } from './project-client.ts'

/** What the address of a list says. Other words are filters. */
export interface ListSearch {
  readonly page?: number
  readonly sort?: string
  readonly order?: 'asc' | 'desc'
  readonly search?: string
  readonly [filter: string]: string | number | undefined
}

export const PAGE_SIZE = 20
/** What the API answers at most at a time. */
const MOST_PER_PAGE = 100

/** Reads the address of a list. What is no text, number or boolean, and no page, is left out. */
export function readListSearch({ page: wanted, ...given }: Record<string, unknown>): ListSearch {
  const texts = Object.entries(given).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) && value !== '' ? [[name, String(value)]] : [],
  )
  const page = Number(wanted)
  return { ...Object.fromEntries(texts), ...(Number.isInteger(page) && page > 1 && { page }) } as ListSearch
}

/** The project and the side of the present screen, with a client for its data. */
export function useProject() {
  const { project, side } = useParams({ strict: false }) as { project: string; side: Environment }
  return { project, side, client: projectClient(project, side) }
}

export interface Fetched<Row> {
  readonly data: readonly Row[]
  readonly next_cursor: string | null
  readonly pagination?: { readonly total?: number }
}

/**
 * The list of the present screen, as its address says.
 * @param name of the list, such as `members`
 */
export function useList<Row>(
  name: string,
  fetchPage: (
    client: Guildhall,
    query: ListSearch & { limit: number },
    signal: AbortSignal,
  ) => PromiseLike<Fetched<Row>>,
) {
  const { project, side } = useProject()
  const client = projectClient(project, side)
  const search = readListSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (changes: Partial<ListSearch>) =>
    navigate({
      to: '.',
      search: readListSearch({ ...search, page: undefined, ...changes }) as never,
      replace: true,
    })
  const queries = useQueryClient()
  const pageQuery = (wanted: ListSearch) =>
    queryOptions({
      queryKey: [project, side, name, wanted],
      queryFn: async ({ signal }) => fetchPage(client, { ...wanted, limit: PAGE_SIZE }, signal),
    })
  const code = hashKey(pageQuery(search).queryKey)
  // Asked for before the screen is made, not after it.
  usePrefetchQuery(pageQuery(search))
  const query: UseQueryResult<Fetched<Row>> = useQuery({
    ...pageQuery(search),
    placeholderData: (before) => before,
  })
  /** Gets a page before it is asked for. */
  const prefetch = (page: number) => queries.prefetchQuery(pageQuery(readListSearch({ ...search, page })))
  /** The first rows that match, of all pages. */
  const fetchAll = async (most: number): Promise<Row[]> => {
    const rows: Row[] = []
    for (let page = 1; rows.length < most; page++) {
      const wanted = { ...search, page, limit: MOST_PER_PAGE }
      const { data, next_cursor } = await fetchPage(client, wanted, new AbortController().signal)
      rows.push(...data)
      if (next_cursor === null) break
    }
    return rows.slice(0, most)
  }
  return { ...query, search, change, prefetch, fetchAll, code, params: { project, side } }
}
