import { Type } from 'typebox'
import type { Api } from '#platform/http/api.ts'
import { envelope, ok, strict } from '#platform/http/envelope.ts'
import { idFromPath } from '#platform/ids.ts'
import { asVisitor } from './access.ts'
import { feedbackId } from './ids.ts'
import { getItem } from './queries.ts'
import { toItem } from './rows.ts'
import { ById, FeedbackItem } from './schema.ts'
import { listSimilar } from './similar-queries.ts'

const tags = ['Feedback']
const read = { access: { secret: 'read:community', public: 'catalog', user: 'self' } } as const
const Title = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Words that titles are compared with',
})

export function similarRoutes(api: Api): void {
  api.get(
    '/feedback/similar',
    {
      config: read,
      schema: {
        tags,
        operationId: 'findSimilarFeedback',
        summary: 'Find items like one that is being written',
        description:
          'Ask while somebody writes: whoever finds their wish there votes for it. Ten at the most, the most alike first.',
        querystring: strict({ title: Title }),
        response: { 200: envelope(Type.Array(FeedbackItem)) },
      },
    },
    async (request) => {
      const items = await request.inProject((ctx) =>
        asVisitor(ctx, request, (visitor) =>
          listSimilar(ctx, visitor, request.query.title, null).map((rows) =>
            rows.map((row) => toItem(row, visitor)),
          ),
        ),
      )
      return ok(items)
    },
  )

  api.get(
    '/feedback/:id/similar',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listSimilarFeedback',
        summary: 'List items like another',
        description:
          'Candidates for a merge: items with a title like this one’s, or like `title`. Ten at the most, the most alike first.',
        params: ById,
        querystring: strict({ title: Type.Optional(Title) }),
        response: { 200: envelope(Type.Array(FeedbackItem)) },
      },
    },
    async (request) => {
      const id = idFromPath(feedbackId, request.params.id)
      const items = await request.inProject((ctx) =>
        asVisitor(ctx, request, async (visitor) => {
          const item = await getItem(ctx, id, visitor)
          const words = request.query.title ?? item.title ?? item.message.slice(0, 200)
          const rows = await listSimilar(ctx, visitor, words, id)
          return rows.map((row) => toItem(row, visitor))
        }),
      )
      return ok(items)
    },
  )
}
