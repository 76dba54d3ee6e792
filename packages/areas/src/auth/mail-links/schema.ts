import { Type } from 'typebox'
import { Email } from '#areas/members/schema.ts'
import { strict } from '#platform/http/envelope.ts'
import { RedirectUrl } from '../schema.ts'
import { proofFields } from '../tokens/proof.ts'

export const EmailRequest = strict(
  { email: Email, redirect_url: Type.Optional(RedirectUrl) },
  { title: 'EmailRequest', examples: [{ email: 'ada@example.com' }] },
)

export const MagicLinkRequest = strict(
  {
    email: Email,
    redirect_url: Type.Optional(RedirectUrl),
    create_member: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Makes a member where there is none, once the link is used',
      }),
    ),
  },
  { title: 'MagicLinkRequest', examples: [{ email: 'ada@example.com' }] },
)

export const MailProof = strict(proofFields, {
  title: 'MailProof',
  description: 'Either `token`, or `email` and `code`',
  examples: [{ token: 'dG9rZW4gb2YgdGhlIGxpbms' }],
})
