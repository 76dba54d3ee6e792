import { Type } from 'typebox'
import { nullable, strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { MAX_SEARCH } from '#platform/search/search.ts'
import { ArticleId, CategoryId, Locale, Slug, Title } from '../schema.ts'

export const SearchQuery = strict({
  ...pageParameters,
  q: Type.String({
    minLength: 1,
    maxLength: MAX_SEARCH,
    description:
      'The words to search for. The last word may be incomplete. If no article has the words, the search also finds parts of words, and words with typing errors',
  }),
  locale: Type.Optional({
    ...Locale,
    description:
      'Only articles in this language. The search knows the word forms of the language. Default: all languages',
  }),
})

export const SearchHit = Type.Object(
  {
    id: ArticleId,
    category_id: nullable(CategoryId),
    slug: Slug,
    title: Title,
    locale: { ...Locale, description: 'The language of the text that was found' },
    title_html: Type.String({
      description: 'The title as HTML that is safe to show in any page; matches are in `<mark>`',
      examples: ['Reset your <mark>password</mark>'],
    }),
    snippet: Type.String({
      description: 'A part of the text as HTML that is safe to show in any page; matches are in `<mark>`',
      examples: ['Open Settings and choose <mark>Password</mark>.'],
    }),
  },
  { title: 'HelpSearchHit' },
)

const named = { article_id: ArticleId, slug: Slug, title: Title }

export const InsightsQuery = strict({
  days: Type.Integer({
    minimum: 1,
    maximum: 365,
    default: 30,
    description: 'The number of days, today included',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'The largest number of entries of each kind',
  }),
})
export const HelpInsights = Type.Object(
  {
    searches_without_result: Type.Array(
      Type.Object({
        query: Type.String({ examples: ['change address'] }),
        locale: Type.String({
          description: 'The language of the search; empty if none was sent',
          examples: ['en'],
        }),
        searches: Type.Integer({ description: 'How often it was searched for', examples: [4] }),
        last_searched_at: Timestamp(),
      }),
      { description: 'Searches without results; only searches of first pages count' },
    ),
    low_votes: Type.Array(
      Type.Object({
        ...named,
        helpful_count: Type.Integer({ examples: [1] }),
        unhelpful_count: Type.Integer({ examples: [7] }),
      }),
      { description: 'Articles with the smallest share of helpful votes' },
    ),
    views: Type.Array(Type.Object({ ...named, views: Type.Integer({ examples: [120] }) }), {
      description: 'Articles that readers opened most',
    }),
  },
  { title: 'HelpInsights' },
)
