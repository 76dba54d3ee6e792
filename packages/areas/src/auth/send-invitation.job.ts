import { Type } from 'typebox'
import { makeSendMail } from '#areas/mail/service.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { armInvitation } from './invitation-queries.ts'
import { linkTo } from './link.ts'
import { invitation } from './mails.ts'
import { newLinkToken } from './one-time-tokens.ts'
import { hashToken } from './refresh-token.ts'

/** Makes the link of an invitation and the mail that carries it. Done again, the newer link is the one that works. */
export const sendInvitation = defineJob({
  name: 'auth.send-invitation',
  lane: 'mail',
  payload: Type.Object({ invitation_id: Type.String() }),
  attempts: 10,
  run: async (run, { invitation_id }) => {
    const { config } = run.deps
    const sendMail = makeSendMail(config)
    const token = newLinkToken(run.projectId)
    await run.record(async (ctx) => {
      const invited = await armInvitation(ctx, invitation_id, hashToken(token))
      if (!invited) return
      sendMail(ctx, invitation, {
        to: { address: invited.email, name: invited.full_name },
        values: { link: linkTo(config.BASE_URL, token) },
        usefulUntil: new Date(invited.expires_at),
      })
    })
  },
})
