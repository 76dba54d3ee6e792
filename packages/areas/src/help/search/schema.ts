import { Type } from 'typebox'
import { MAX_SEARCH } from '#platform/db/search/search.ts'
import { nullable, strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { ArticleId, CategoryId, Locale, Title } from '../schema.ts'
import { Slug } from '../slugs.ts'

export const SearchQuery = strict({
  ...pageParameters,
  q: Type.String({
    minLength: 1,
    maxLength: MAX_SEARCH,
    description:
      'Words, as somebody types them; the last one may be unfinished, and titles are found with typing errors',
  }),
  locale: Type.Optional({
    ...Locale,
    description: 'Search in this language, with its dictionary; in all of them without one',
  }),
})

export const SearchHit = Type.Object(
  {
    id: ArticleId,
    category_id: nullable(CategoryId),
    slug: Slug,
    title: Title,
    locale: { ...Locale, description: 'The language in which it was found' },
    title_html: Type.String({
      description: 'The title as HTML that is safe in any page, with what was found in `<mark>`',
      examples: ['Reset your <mark>password</mark>'],
    }),
    snippet: Type.String({
      description: 'A piece of the text as HTML that is safe in any page, with what was found in `<mark>`',
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
    description: 'Of how many days, today included',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Entries of each kind' }),
})
export const HelpInsights = Type.Object(
  {
    searches_without_result: Type.Array(
      Type.Object({
        query: Type.String({ examples: ['change address'] }),
        locale: Type.String({ description: 'Empty where none was asked for', examples: ['en'] }),
        searches: Type.Integer({ description: 'How often', examples: [4] }),
        last_searched_at: Timestamp(),
      }),
      { description: 'What readers looked for and did not find; the first pages of searches count' },
    ),
    low_votes: Type.Array(
      Type.Object({
        ...named,
        helpful_count: Type.Integer({ examples: [1] }),
        unhelpful_count: Type.Integer({ examples: [7] }),
      }),
      { description: 'Articles that helped the fewest of those who voted' },
    ),
    views: Type.Array(Type.Object({ ...named, views: Type.Integer({ examples: [120] }) }), {
      description: 'Articles that readers opened most',
    }),
  },
  { title: 'HelpInsights' },
)
