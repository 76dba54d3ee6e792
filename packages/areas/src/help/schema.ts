import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { createdParameters, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters, Truncated } from '#platform/http/page.ts'
import { articleId } from './ids.ts'

/** Characters of a slug at the most. */
export const MAX_SLUG = 80

export const Slug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  minLength: 1,
  maxLength: MAX_SLUG,
  description: 'Lower-case words joined by hyphens; unique in the project',
  examples: ['reset-your-password'],
})

/** A title as a slug: `Crème brûlée!` becomes `creme-brulee`; undefined where it has no Latin letter and no digit. */
export function slugOf(title: string): string | undefined {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, MAX_SLUG).replace(/-$/, '')
}

export const VISIBILITIES = ['public', 'members', 'internal'] as const
export const ARTICLE_STATUSES = ['draft', 'published', 'archived'] as const

export const CategoryId = Type.String({
  description: 'The id of a category of the help center',
  examples: ['cat_01jcq3k8f7e8qtk4m3hbw7rn2g'],
})
export const ArticleId = Type.String({
  description: 'The id of an article',
  examples: ['art_01jcq3k8f7e8qtk4m3hbw7rn2h'],
})
const LOCALE = '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$'
/** Whether a text is a language, as in BCP 47. */
export const isLocale = (text: string): boolean => new RegExp(LOCALE).test(text)

export const Locale = Type.String({
  pattern: LOCALE,
  maxLength: 35,
  description: 'A language as a BCP 47 tag',
  examples: ['en'],
})
export const Title = Type.String({ minLength: 1, maxLength: 200, examples: ['Reset your password'] })
export const Content = Type.String({
  maxLength: 50_000,
  description: 'Markdown',
  examples: ['Open **Settings** and choose *Password*.'],
})
export const ContentHtml = Type.String({
  description: 'The content as HTML that is safe to show in any page',
  examples: ['<p>Open <strong>Settings</strong> and choose <em>Password</em>.</p>\n'],
})
const Labels = Type.Array(Type.String({ minLength: 1, maxLength: 40, examples: ['account'] }), {
  maxItems: 20,
  uniqueItems: true,
  description: 'Labels; articles with the same labels are related',
  examples: [['account']],
})
const Visibility = oneOf(VISIBILITIES, {
  description: '`public`: everybody can read it; `members`: only members; `internal`: only secret keys',
  examples: ['public'],
})
const RequiredPlans = Type.Array(
  Type.String({ description: 'The id of a plan', examples: ['plan_01jcq3k8f7e8qtk4m3hbw7rn2e'] }),
  {
    maxItems: 50,
    uniqueItems: true,
    description: 'A reader must be on one of these plans; empty: no plan is needed',
  },
)

const summary = {
  id: ArticleId,
  category_id: nullable(CategoryId),
  slug: Slug,
  title: Title,
  locale: { ...Locale, description: 'The language of this title and content' },
  original_locale: { ...Locale, description: 'The language in which the article was written' },
  locales: Type.Array(Type.String({ examples: ['en'] }), {
    description: 'All languages of the article',
  }),
  is_outdated: Type.Boolean({
    description: 'True if this is a translation of an earlier version of the article',
    examples: [false],
  }),
  labels: Labels,
  visibility: Visibility,
  required_plans: {
    ...RequiredPlans,
    description:
      'A reader must be on one of these plans; empty: no plan is needed. Only secret keys see plans here that are not public',
  },
  status: oneOf(ARTICLE_STATUSES, { examples: ['published'] }),
  version: Type.Integer({
    description: 'The published version; 0 if the article was never published',
    examples: [1],
  }),
  helpful_count: Type.Integer({
    description: 'The number of readers who found the article helpful',
    examples: [12],
  }),
  unhelpful_count: Type.Integer({
    description: 'The number of readers who did not find the article helpful',
    examples: [1],
  }),
  published_at: nullable(Timestamp()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
}

export const ArticleSummary = Type.Object(summary, { title: 'ArticleSummary' })
export type ArticleSummary = Static<typeof ArticleSummary>

const Draft = Type.Object(
  { title: Title, content: Content, content_html: ContentHtml },
  { title: 'ArticleDraft' },
)

export const Article = Type.Object(
  {
    ...summary,
    content: Content,
    content_html: ContentHtml,
    draft: Type.Optional(
      Type.Unsafe<Static<typeof Draft> | null>({
        ...Draft,
        type: ['object', 'null'],
        description:
          'Only for secret keys: the draft, if it is not published yet; null: there are no changes to publish',
      }),
    ),
  },
  { title: 'Article' },
)
export type Article = Static<typeof Article>

export const NewArticle = strict(
  {
    title: Title,
    content: Content,
    category_id: Type.Optional(nullable(CategoryId)),
    slug: Type.Optional(Slug),
    labels: Type.Optional(Labels),
    locale: Type.Optional(Locale),
    visibility: Type.Optional(Visibility),
    required_plans: Type.Optional(RequiredPlans),
  },
  {
    title: 'NewArticle',
    examples: [{ title: 'Reset your password', content: 'Open **Settings** and choose *Password*.' }],
  },
)
export type NewArticle = Static<typeof NewArticle>

const { locale: _locale, ...changeable } = NewArticle.properties
export const ArticleChanges = strict(
  { ...changeable, title: Type.Optional(Title), content: Type.Optional(Content) },
  { title: 'ArticleChanges', examples: [{ title: 'Choose a new password' }] },
)
export type ArticleChanges = Static<typeof ArticleChanges>

export const ById = strict({ id: pathId(articleId, ArticleId) })
export const ByIdOrSlug = strict({
  id: { ...ArticleId, description: 'The id of an article, or its slug' },
})

export const ArticleQuery = strict({
  locale: Type.Optional({
    ...Locale,
    description:
      'The language of the answer. If there is no `de-AT`, the answer is in `de`; if there is no `de`, it is in the original language',
  }),
})

export const ListQuery = strict({
  ...pageParameters,
  category_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only articles that are directly in this category' }),
  ),
  status: Type.Optional(
    oneOf(ARTICLE_STATUSES, {
      description: 'Only articles with this status; callers without a secret key get published articles only',
    }),
  ),
  locale: Type.Optional({ ...Locale, description: 'Only articles in this language' }),
  label: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'Only articles with this label' }),
  ),
  search: searchIn(
    'the title in the original language. `GET /help/search` searches whole articles in all languages',
  ),
  ...createdParameters,
  ...sortParameters(['created_at']),
})
export type ListQuery = Static<typeof ListQuery>

export const ArticleVersion = Type.Object(
  {
    version: Type.Integer({ description: 'The number of the version, from 1', examples: [1] }),
    title: Title,
    content: Content,
    content_html: ContentHtml,
    created_at: Timestamp({ description: 'When the version was published' }),
    truncated: Truncated,
  },
  { title: 'ArticleVersion' },
)
export const ByVersion = strict({
  id: pathId(articleId, ArticleId),
  n: Type.String({ description: 'The number of a version', examples: ['1'] }),
})
