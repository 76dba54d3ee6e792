import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { mutedBy } from '#areas/moderation/service.ts'
import { includeOfPosts } from '#areas/profiles/schema.ts'
import { showingPosts } from '#areas/profiles/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, strict } from '#platform/http/envelope.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { withoutMentions } from '#platform/markdown/mentions.ts'
import { titleOf } from './found.ts'
import { getItem, type Like, listSimilar } from './queries.ts'
import { toItem } from './rows.ts'
import { ById, FeedbackItem } from './schema.ts'

const read = { access: { secret: 'read:community', public: 'catalog', user: 'self' } } as const
const Title = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The words that are compared with titles',
})

export function similarRoutes(api: Api, deps: AreaDeps): void {
  findSimilarFeedbackRoute(api, deps)
  listSimilarFeedbackRoute(api, deps)
}

function findSimilarFeedbackRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.get(
    '/feedback/similar',
    {
      config: { ...read, reads: 'replica' },
      schema: {
        operationId: 'findSimilarFeedback',
        sdk: 'feedback.findSimilar',
        summary: 'Find items similar to a new item',
        description:
          'Show these items while somebody writes, so that they can vote for an existing item. The answer has at most ten items, the most similar first.',
        querystring: strict({ title: Title, include: includeOfPosts }),
        response: { 200: envelope(Type.Array(FeedbackItem)) },
      },
    },
    async (request) => {
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const words = request.query.title
      return people.show(request, await similarTo(request, { viewer, words, leftOut: null }))
    },
  )
}

function listSimilarFeedbackRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.get(
    '/feedback/:id/similar',
    {
      config: read,
      schema: {
        operationId: 'listSimilarFeedback',
        summary: 'List items similar to another item',
        description:
          'The answer has candidates for a merge: items whose title is similar to the title of this item, or to `title`. The answer has at most ten items, the most similar first.',
        params: ById,
        querystring: strict({ title: Type.Optional(Title), include: includeOfPosts }),
        response: { 200: envelope(Type.Array(FeedbackItem)) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { item } = await request.read({ item: getItem({ id, viewer }) })
      const words = request.query.title ?? withoutMentions(titleOf(item))
      return people.show(request, await similarTo(request, { viewer, words, leftOut: id }))
    },
  )
}

/** Items as the viewer sees them in a list. */
async function similarTo(request: FastifyRequest, like: Like): Promise<FeedbackItem[]> {
  const { viewer } = like
  const { rows } = await request.read({ rows: listSimilar(like) })
  const { muted } = await request.read({
    muted: mutedBy({ viewer, authors: rows.map(({ author_id }) => author_id) }),
  })
  return rows.map((row) => toItem(row, viewer, muted))
}
