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
        description: 'True creates a member when the link is used, if there is none with this address',
      }),
    ),
  },
  { title: 'MagicLinkRequest', examples: [{ email: 'ada@example.com' }] },
)

export const MailProof = strict(proofFields, {
  needsOneOf: true,
  title: 'MailProof',
  description: 'Send `token`, or send `email` and `code`',
  examples: [{ token: 'dG9rZW4gb2YgdGhlIGxpbms' }],
})

export const EmailProof = strict(
  {
    ...proofFields,
    password: Type.Optional({
      ...Password,
      description:
        'The password of a member who confirms an address for the first time. With a link, send the password of the sign-up again, or another one: without this field the member has no password, and the answer has `password_set: false`. With a code, the password of the sign-up becomes valid without this field',
    }),
  },
  {
    title: 'EmailProof',
    needsOneOf: true,
    description: 'Send `token`, or send `email` and `code`',
    examples: [{ token: 'dG9rZW4gb2YgdGhlIGxpbms', password: 'correct horse battery' }],
  },
)
