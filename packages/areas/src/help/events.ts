import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { ArticleId, ArticleSummary } from './schema.ts'

const example = exampleOf(ArticleSummary)

export const articlePublished = defineEvent({
  name: 'article.published',
  description: 'An article was published',
  data: ArticleSummary,
  example,
  member: () => null,
})
export const articleUpdated = defineEvent({
  name: 'article.updated',
  description:
    'An article, its draft or a translation was changed; readers see a changed draft after the next publish',
  data: ArticleSummary,
  example,
  member: () => null,
})
export const articleArchived = defineEvent({
  name: 'article.archived',
  description: 'An article was archived; readers no longer see it',
  data: ArticleSummary,
  example,
  member: () => null,
})
export const articleDeleted = defineEvent({
  name: 'article.deleted',
  description: 'An article was deleted, with its versions, translations and votes',
  data: Type.Object({ id: ArticleId }),
  example: { id: 'art_01jcq3k8f7e8qtk4m3hbw7rn2h' },
  member: () => null,
})
