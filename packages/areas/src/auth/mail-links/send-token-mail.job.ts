import { Type } from 'typebox'
import { makeSendMail } from '#areas/mail/service.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { accountExists, confirmNewEmail, loginCode, magicLink, resetPassword, verifyEmail } from '../mails.ts'
import { emailKey, findRecipient, type Recipient } from '../member-queries.ts'
import { issueLinkAndCode, linkTo, makeCodeHash } from '../tokens/one-time-tokens.ts'
import { dropToken, findToken, TOKEN_MINUTES } from '../tokens/queries.ts'

/**
 * Makes the link and the code that somebody asked for, and the mail with them. Only this job finds out whether the
 * account exists. If it runs again, only the newer link works.
 */
export const sendTokenMail = defineJob({
  name: 'auth.send-token-mail',
  lane: 'mail',
  payload: Type.Object({ token_id: Type.String() }),
  attempts: 10,
  run: async (run, { token_id }) => {
    const { config } = run.deps
    const sendMail = makeSendMail(config)
    const codeHash = makeCodeHash(config)
    await run.record(async (ctx) => {
      const token = await findToken(ctx, { id: token_id })
      if (!token?.email) return
      const recipient = await findRecipient(ctx, { emailKey: emailKey(token.email) })
      const to = {
        address: token.email,
        name: recipient?.full_name ?? '',
        // A new address is not the member's yet.
        ...(recipient === undefined && token.member_id !== null && { memberId: token.member_id }),
      }
      const type = mailOf(token, recipient)
      if (type === undefined || type === accountExists) {
        dropToken(ctx, { id: token.id })
        if (type) sendMail(ctx, accountExists, { to, values: {} })
        return
      }
      const { token: secret, code } = issueLinkAndCode(ctx, codeHash, token.id, token.member_id)
      const usefulUntil = new Date(Date.now() + TOKEN_MINUTES * 60_000)
      // Without a destination a link could log nobody in.
      if (type === magicLink && token.redirect_url === null)
        sendMail(ctx, loginCode, { to, values: { code }, usefulUntil })
      else sendMail(ctx, type, { to, values: { link: linkTo(config.BASE_URL, secret), code }, usefulUntil })
    })
  },
})

interface Asked {
  readonly purpose: string
  readonly details: unknown
}

/** The kind of mail that an address gets after somebody entered it, if any. */
function mailOf({ purpose, details }: Asked, recipient: Recipient | undefined) {
  const asked = details as { create_member?: boolean; sign_up?: object }
  const isWaiting = recipient?.pending_reason === 'sign_up'
  const mayComeIn = recipient?.status === 'active' || isWaiting
  switch (purpose) {
    case 'magic_link':
      return mayComeIn || (!recipient && asked.create_member) ? magicLink : undefined
    case 'password_reset':
      return mayComeIn ? resetPassword : undefined
    case 'email_change':
      // The address of another member stays theirs.
      return recipient ? undefined : confirmNewEmail
    default:
      if (mayComeIn && recipient?.email_verified_at === null) return verifyEmail
      return recipient && asked.sign_up ? accountExists : undefined
  }
}
