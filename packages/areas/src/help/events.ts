import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { ArticleId, ArticleSummary } from './schema.ts'

const example = exampleOf(ArticleSummary) as never

export const articlePublished = defineEvent({
  name: 'article.published',
  description: 'Readers meet an article as it is now',
  data: ArticleSummary,
  example,
  member: () => null,
})
export const articleUpdated = defineEvent({
  name: 'article.updated',
  description:
    'An article, its draft or a translation was changed; readers see new words when it is published',
  data: ArticleSummary,
  example,
  member: () => null,
})
export const articleArchived = defineEvent({
  name: 'article.archived',
  description: 'Readers do not meet an article any more',
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
