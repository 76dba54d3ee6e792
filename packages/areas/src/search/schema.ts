import { type Static, Type } from 'typebox'
import { oneOf, strict } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { MAX_SEARCH } from '#platform/search/search.ts'

/** What can be found, in the order of the documentation. */
export const TYPES = ['discussion', 'comment', 'feedback', 'article', 'course', 'product'] as const
export type FoundType = (typeof TYPES)[number]

const one = `(?:${TYPES.join('|')})`

export const EverythingQuery = strict({
  ...pageParameters,
  q: Type.String({
    minLength: 1,
    maxLength: MAX_SEARCH,
    description:
      'The words to search for, in any script. All must be there; "some words" are a phrase, `-word` is left out, `or` stands between alternatives. The last word may be incomplete. If nothing is found, similar words are searched for',
    examples: ['weekly goals'],
  }),
  types: Type.Optional(
    Type.String({
      pattern: `^${one}(?:,${one})*$`,
      maxLength: 200,
      description: `Only these types, separated by commas: ${TYPES.map((type) => `\`${type}\``).join(', ')}. Default: all that the caller may read`,
      examples: ['discussion,comment'],
    }),
  ),
  author_id: Type.Optional(
    Type.String({
      maxLength: 80,
      description:
        'Only discussions, comments and feedback of this member. Visitors without a log-in do not find feedback by its author',
    }),
  ),
  category: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Only what is in the category: the slug of a category of discussions or of the help center, or the category of a course or a product',
    }),
  ),
  since: Type.Optional(
    Type.String({
      format: 'date-or-time',
      description: 'Only what was written then or later; a date or a timestamp',
      examples: ['2026-11-01'],
    }),
  ),
})
export type EverythingQuery = Static<typeof EverythingQuery>

export const FoundItem = Type.Object(
  {
    type: oneOf(TYPES, { description: 'The kind of the item', examples: ['discussion'] }),
    id: Type.String({
      description: 'The id of the item',
      examples: ['disc_01jcq3k8f7e8qtk4m3hbw7rn2f'],
    }),
    title: Type.String({
      description: 'The title. A comment has the title of its discussion',
      examples: ['How do you plan your week?'],
    }),
    title_html: Type.String({
      description: 'The title as HTML that is safe to show in any page; matches are in `<mark>`',
      examples: ['How do you plan your <mark>week</mark>?'],
    }),
    snippet: Type.String({
      description: 'A part of the text as HTML that is safe to show in any page; matches are in `<mark>`',
      examples: ['I write three <mark>goals</mark> on Monday.'],
    }),
    url_path: Type.String({
      description: 'The path of the resource below `/api/v1`',
      examples: ['/discussions/disc_01jcq3k8f7e8qtk4m3hbw7rn2f'],
    }),
    score: Type.Number({
      description: 'How well it fits: the greater, the better. Comparable within one answer',
      examples: [0.607927],
    }),
  },
  { title: 'FoundItem' },
)
export type FoundItem = Static<typeof FoundItem>

const count = Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, examples: [3] }))
export const Facets = Type.Object(
  {
    types: Type.Object(
      Object.fromEntries(TYPES.map((type) => [type, count])) as Record<FoundType, typeof count>,
      {
        description: 'How many matches there are of each type that was searched; counting stops at 10,000',
      },
    ),
  },
  { title: 'SearchFacets' },
)
