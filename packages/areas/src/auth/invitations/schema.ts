import { type Static, Type } from 'typebox'
import { Email, FullName, PlanId, Role } from '#areas/members/schema.ts'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { createdParameters, idParameter, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters } from '#platform/http/page.ts'
import { invitationId } from '../ids.ts'
import { Password, RedirectUrl } from '../schema.ts'
import { proofFields } from '../tokens/proof.ts'

export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const
export type InvitationStatus = (typeof INVITATION_STATUSES)[number]

const InvitationId = Type.String({
  description: 'The id of an invitation',
  examples: ['inv_01jcq3k8f7e8qtk4m3hbw7rn2j'],
})

export const Invitation = Type.Object(
  {
    id: InvitationId,
    email: Type.String({ format: 'email', examples: ['ada@example.com'] }),
    role: Role,
    full_name: Type.String({ description: 'Empty if it is not set', examples: ['Ada Lovelace'] }),
    plan_id: nullable(
      Type.String({ description: 'The plan of the new member; null: the default plan of the project' }),
    ),
    member_id: nullable(
      Type.String({
        description: 'The member: created before, or by accepting the invitation; null otherwise',
        examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
      }),
    ),
    status: oneOf(INVITATION_STATUSES),
    created_at: Timestamp(),
    expires_at: Timestamp(),
    sent_at: nullable(Timestamp({ description: 'When the newest mail was created' })),
    accepted_at: nullable(Timestamp()),
    revoked_at: nullable(Timestamp()),
  },
  {
    title: 'Invitation',
    examples: [
      {
        id: 'inv_01jcq3k8f7e8qtk4m3hbw7rn2j',
        email: 'ada@example.com',
        role: 'member',
        full_name: 'Ada Lovelace',
        plan_id: null,
        member_id: null,
        status: 'pending',
        created_at: '2026-11-21T09:00:00.000Z',
        expires_at: '2026-11-28T09:00:00.000Z',
        sent_at: null,
        accepted_at: null,
        revoked_at: null,
      },
    ],
  },
)
export type Invitation = Static<typeof Invitation>

export const NewInvitation = strict(
  {
    email: Email,
    role: Type.Optional({ ...Role, default: 'member' }),
    full_name: Type.Optional(FullName),
    plan_id: Type.Optional(PlanId),
    redirect_url: Type.Optional(RedirectUrl),
    expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, default: 7 })),
  },
  { title: 'NewInvitation', examples: [{ email: 'ada@example.com' }] },
)
export type NewInvitation = Static<typeof NewInvitation>

export const InvitationQuery = strict({
  ...pageParameters,
  status: Type.Optional(oneOf(INVITATION_STATUSES, { description: 'Only invitations with this status' })),
  plan_id: idParameter(PlanId, 'Only invitations to this plan'),
  search: searchIn('the address or the name'),
  ...createdParameters,
  ...sortParameters(['created_at', 'email']),
})
export type InvitationQuery = Static<typeof InvitationQuery>

export const ByInvitation = strict({ id: pathId(invitationId, InvitationId) })

export const AcceptInvitation = strict(
  {
    ...proofFields,
    password: Type.Optional(Password),
    full_name: Type.Optional(FullName),
  },
  {
    title: 'AcceptInvitation',
    needsOneOf: true,
    description: 'Send `token`, or send `email` and `code`',
    examples: [{ token: 'dG9rZW4gb2YgdGhlIGxpbms', password: 'correct horse battery' }],
  },
)
