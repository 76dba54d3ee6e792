import { invalidBody, invalidField } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { Message, NewMessage } from '../schema.ts'
import { sendMessage } from './service.ts'

export function messageRoutes(api: Api): void {
  api.post(
    '/notifications',
    {
      config: { oneTransaction: true, access: { secret: 'write:community' } },
      schema: {
        operationId: 'sendNotification',
        summary: 'Send a message to members',
        description:
          'Send `member_ids` or `plan_id`. Members get a notification of the kind `message`, in the product and by mail as they prefer. Members of a plan get it soon after the answer.',
        body: NewMessage,
        response: { 201: envelope(Message) },
      },
    },
    async (request) => {
      const { member_ids, plan_id } = request.body
      if ((member_ids === undefined) === (plan_id === undefined))
        throw invalidBody([
          { field: 'member_ids', rule: 'required', message: 'or plan_id is required, and not both' },
        ])
      if (request.body.url !== undefined && !URL.canParse(request.body.url))
        throw invalidField('url', 'format', 'must be an http or https URL')
      return request.write((ctx) => sendMessage(ctx, request.body))
    },
  )
}
