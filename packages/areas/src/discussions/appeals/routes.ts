import type { AreaDeps } from '#platform/deps.ts'
import { whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { appealRefused } from '../errors.ts'
import { Moderated } from '../moderation/service.ts'
import { Appeal, ByAppealed, NewAppeal } from './schema.ts'
import { APPEAL_DAYS, appeal } from './service.ts'

export function appealPostRoute(api: Api, { catalogue }: Pick<AreaDeps, 'catalogue'>): void {
  const moderated = new Moderated(catalogue.moderated)

  api.post(
    '/moderation/:id/appeal',
    {
      config: {
        ...{ oneTransaction: true, actingMember: 'header', whileSuspended: 'goes on' },
        access: { secret: 'write:community', user: 'self' },
        errors: [appealRefused],
      },
      schema: {
        tags: ['Moderation'],
        operationId: 'appealPost',
        summary: 'Appeal a held, hidden or removed post',
        description: `Only for the author of the post, once for each case, and up to ${APPEAL_DAYS} days after a decision. Moderators find appeals in the queue with \`status=appealed\`, and decide them with \`approve\` (the post is shown again) or \`remove\` (the post is or stays removed). The author is notified.`,
        params: ByAppealed,
        body: NewAppeal,
        response: { 201: envelope(Appeal) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { text } = request.body
      const who = whoActs(request)
      return request.write((ctx) => appeal(ctx, { id, text, who, moderated }))
    },
  )
}
