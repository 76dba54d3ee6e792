import { Type } from 'typebox'
import { Email } from '#areas/members/schema.ts'
import { strict } from '#platform/http/envelope.ts'
import { MailChallenge, Password, RedirectUrl } from '../schema.ts'
import { proofFields } from '../tokens/proof.ts'

export const EmailRequest = strict(
  {
    email: Email,
    redirect_url: Type.Optional(RedirectUrl),
    code_challenge: Type.Optional(MailChallenge),
  },
  { title: 'EmailRequest', examples: [{ email: 'ada@example.com' }] },
)

export const MagicLinkRequest = strict(
  {
    email: Email,
    redirect_url: Type.Optional(RedirectUrl),
    code_challenge: Type.Optional(MailChallenge),
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

export const EmailProof = strict(
  {
    ...proofFields,
    password: Type.Optional({
      ...Password,
      description:
        'For the first address that a member confirms. By a link, a sign-up’s password comes into force by being given ' +
        'again here, or another in its place; by a code, the one of the sign-up does by itself',
    }),
  },
  {
    title: 'EmailProof',
    description: 'Either `token`, or `email` and `code`',
    examples: [{ token: 'dG9rZW4gb2YgdGhlIGxpbms', password: 'correct horse battery' }],
  },
)
