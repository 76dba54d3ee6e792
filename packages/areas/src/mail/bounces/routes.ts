import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import { ApiError } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, oneOf } from '#platform/http/envelope.ts'
import { unsupportedType } from '#platform/http/server/error-handler.ts'
import { readBounce } from '#platform/mail/read-bounce.ts'
import { isOperator } from '#platform/ops/operator.ts'
import { recordBounce } from './record-bounce.ts'

const RAW_MAIL = 'message/rfc822'
const BounceReport = Type.Object({ outcome: oneOf(['suppressed', 'failed', 'ignored']) })

/**
 * /ops/bounces takes, as it came, every mail that reaches the mailbox of MAIL_FROM: `curl --data-binary @- -H
 * 'content-type: message/rfc822'` behind an alias of the mail server. Exists where OPS_TOKEN is set.
 */
export function bounceRoutes(api: Api, { config, limiter, asSystem, log }: AreaDeps): void {
  const { OPS_TOKEN: token } = config
  if (token === undefined) return
  api.addContentTypeParser(RAW_MAIL, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
  api.post(
    '/ops/bounces',
    {
      config: { access: 'open' },
      schema: { hide: true, consumes: [RAW_MAIL], response: { 200: envelope(BounceReport) } },
      // Before the body is read.
      onRequest: async (request, reply) => {
        if (!(await isOperator(request, reply, { token, limiter })))
          throw new ApiError(
            401,
            'AUTH_REQUIRED',
            'This is for operators: send "Authorization: Bearer <OPS_TOKEN>"',
          )
      },
    },
    async (request) => {
      const { body } = request as { body: unknown }
      if (!(body instanceof Buffer)) throw unsupportedType(RAW_MAIL)
      const bounce = await readBounce(body)
      const outcome = bounce
        ? await asSystem(bounce.mail.projectId, 'mail.bounce', { evenAtRest: true }).write((ctx) =>
            recordBounce(ctx, bounce),
          )
        : ('ignored' as const)
      log.info({ outcome, mail_id: bounce?.mail.id, status: bounce?.status }, 'mail report')
      return { outcome }
    },
  )
}
