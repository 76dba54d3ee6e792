import { Type } from 'typebox'
import type { Api } from '#platform/http/api.ts'
import { assertFieldsOfActions, bulkRequest, bulkResult, doEach } from '#platform/http/bulk.ts'
import { envelope, oneOf, strict } from '#platform/http/envelope.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { assertTeam } from './access.ts'
import { feedbackId } from './ids.ts'
import { FeedbackId } from './schema.ts'
import { deleteFeedback } from './service.ts'
import { NewStatus } from './status/schema.ts'
import { sayStatus } from './status/setting.ts'
import { mergeFeedback } from './votes/merging.ts'
import { Merge } from './votes/schema.ts'

const Operation = strict(
  {
    id: FeedbackId,
    action: oneOf(['set_status', 'merge', 'delete'], {
      description: 'The act, which is done as by its own request',
      examples: ['set_status'],
    }),
    status: Type.Optional(NewStatus.properties.status),
    note: NewStatus.properties.note,
    notify_voters: NewStatus.properties.notify_voters,
    into: Type.Optional(Merge.properties.into),
  },
  {
    title: 'BulkFeedbackOperation',
    description: '`set_status` needs `status` and can have `note` and `notify_voters`; `merge` needs `into`',
    examples: [{ id: 'fb_01jcq3k8f7e8qtk4m3hbw7rn2g', action: 'set_status', status: 'planned' }],
  },
)
const FIELDS = {
  set_status: { needs: ['status'], takes: ['note', 'notify_voters'] },
  merge: { needs: ['into'] },
  delete: {},
} as const

export function bulkRoutes(api: Api): void {
  changeFeedbackInBulkRoute(api)
}

function changeFeedbackInBulkRoute(api: Api): void {
  api.post(
    '/feedback/bulk',
    {
      config: { access: { secret: 'write:community', user: 'self' } },
      schema: {
        operationId: 'changeFeedbackInBulk',
        sdk: 'feedback.changeInBulk',
        summary: 'Set the status of many items, merge them or delete them',
        description:
          'Only for secret keys and moderators. Up to 100 items are changed one after the other, each as by its own request. Each succeeds or fails on its own, and the answer has a result for each. If a field does not belong to its action, the whole request is refused.',
        body: bulkRequest(Operation, 'BulkFeedback'),
        response: { 200: envelope(bulkResult(FeedbackId, 'BulkFeedbackResult')) },
      },
    },
    async (request) => {
      const { operations } = request.body
      const { viewer: asking } = await request.read({ viewer: viewerOf(request) })
      assertTeam(asking)
      assertFieldsOfActions(operations, FIELDS)
      return doEach(operations, feedbackId, (id, { id: _, action, status, into = null, ...more }) =>
        request.write(async (ctx) => {
          const viewer = await viewerOf(ctx, request)
          if (action === 'delete') await deleteFeedback(ctx, id, viewer)
          else if (status === undefined) await mergeFeedback(ctx, id, into, viewer)
          else await sayStatus(ctx, id, { status, ...more }, viewer)
        }),
      )
    },
  )
}
