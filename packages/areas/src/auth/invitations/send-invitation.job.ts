import { Type } from 'typebox'
import { makeSendMail } from '#areas/mail/service.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { invitation } from '../mails.ts'
import { linkTo, makeCodeHash, newLinkAndCode } from '../tokens/one-time-tokens.ts'
import { armInvitation } from './queries.ts'

/** Makes the link and the code of an invitation, and the mail with them. If it runs again, only the newer ones work. */
export const sendInvitation = defineJob({
  name: 'auth.send-invitation',
  lane: 'mail',
  payload: Type.Object({ invitation_id: Type.String() }),
  attempts: 10,
  run: async (run, { invitation_id }) => {
    const { config } = run.deps
    const sendMail = makeSendMail(config)
    const codeHash = makeCodeHash(config)
    const { token, code, ...hashes } = newLinkAndCode(run.projectId, codeHash, invitation_id)
    await run.record(async (ctx) => {
      const invited = await armInvitation(ctx, { id: invitation_id, ...hashes })
      if (!invited) return
      sendMail(ctx, invitation, {
        to: { address: invited.email, name: invited.full_name },
        values: { link: linkTo(config.BASE_URL, token), code },
        usefulUntil: new Date(invited.expires_at),
      })
    })
  },
})
