import type {
  Article,
  Guildhall,
  HelpCategoryPage,
  ListArticlesQuery,
  ListedHelpCategory,
} from '@guildhall/sdk'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'
import { type Read, readWithEtag, useRead } from '../../data/read.ts'

const BASE = 'help'

export const useArticles = () =>
  useList(BASE, (client, query, signal) => client.help.articles.list(query as ListArticlesQuery, { signal }))

/** A category with its place, as the console reads all of them. */
export type PlacedCategory = ListedHelpCategory &
  Required<Pick<ListedHelpCategory, 'slug' | 'parent_id' | 'position'>>

/** All categories, in the order of their positions. */
export function useCategories() {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'categories'],
    queryFn: async ({ signal }) => {
      const categories: PlacedCategory[] = []
      const query = { include: ['slug', 'parent_id', 'position'] as ('slug' | 'parent_id' | 'position')[] }
      for await (const each of client.help.categories.list(query, { signal }))
        categories.push(each as PlacedCategory)
      return categories
    },
  })
}

export const useCategory = (id: string) =>
  useRead<HelpCategoryPage>([BASE, 'category', id], (client, options) =>
    client.help.categories.get(id, options),
  )

export type ReadArticle = Read<Article>

/** How an article is asked for, in each language. */
export function useArticleOptions(id: string) {
  const { project, side, client } = useProject()
  return (locale?: string) =>
    queryOptions({
      queryKey: [project, side, BASE, 'article', id, locale ?? null],
      queryFn: ({ signal }): Promise<ReadArticle> =>
        readWithEtag((options) =>
          client.help.articles.get(id, locale === undefined ? {} : { locale }, { ...options, signal }),
        ),
    })
}

/** @param locale of the translation; undefined for the original */
export const useArticle = (id: string, locale?: string) => useQuery(useArticleOptions(id)(locale))

/** Reads an article again, in its original language. */
export function useReadArticle(id: string) {
  const { client } = useProject()
  return (): Promise<ReadArticle> => readWithEtag((options) => client.help.articles.get(id, {}, options))
}

/** The languages of the newest articles: what others are translated into. */
export function useLanguages() {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'languages'],
    queryFn: async ({ signal }) => {
      const { data } = await client.help.articles.list({ limit: 100 }, { signal })
      return [...new Set(data.flatMap(({ locales }) => locales))].toSorted()
    },
  })
}

/** What was published of an article, the latest first. */
export function useArticleVersions(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'article', id, 'versions'],
    queryFn: async ({ signal }) =>
      (await client.help.articles.versions.list(id, { limit: 50 }, { signal })).data,
  })
}

/** Searches, votes and views of the last days. */
export function useInsights(days: number) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'insights', days],
    queryFn: ({ signal }) => client.help.insights.get({ days, limit: 50 }, { signal }),
    placeholderData: (before) => before,
  })
}

/** Does something to the help center; everything that shows it is read again. */
export function useHelpChange<Input = void, Result = unknown>(
  act: (client: Guildhall, input: Input) => Promise<Result>,
  onDone?: (result: Result, input: Input) => unknown,
) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => act(client, input),
    onSuccess: async (result, input) => {
      await onDone?.(result, input)
      await queries.invalidateQueries({ queryKey: [project, side, BASE] })
    },
  })
}
