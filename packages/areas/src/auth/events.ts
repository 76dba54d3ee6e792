import { Type } from 'typebox'
import { MemberData } from '#areas/members/schema.ts'
import { defineEvent } from '#platform/events/emit.ts'
import { nullable, oneOf } from '#platform/http/envelope.ts'
import { exampleOf } from '#platform/http/example.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { Invitation } from './invitations/schema.ts'
import { AalField, AmrField, END_REASONS, FactorSummary, SessionId } from './schema.ts'

const SESSION = 'ses_01jcq3k8f7e8qtk4m3hbw7rn2g'
const MEMBER = 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d'
const PASSKEY = { id: 'fac_01jcq3k8f7e8qtk4m3hbw7rn2j', type: 'passkey', name: 'Laptop' } as const

export const memberSignedUp = defineEvent({
  name: 'member.signed_up',
  description: 'Somebody signed up; `member.created` is sent too',
  data: MemberData,
  example: exampleOf(MemberData),
  member: ({ id }) => id,
})
export const sessionCreated = defineEvent({
  name: 'session.created',
  description: 'A member logged in',
  data: Type.Object({
    id: SessionId,
    member_id: MemberId,
    aal: AalField,
    amr: AmrField,
    ip: nullable(Type.String()),
    user_agent: nullable(Type.String()),
  }),
  example: {
    id: SESSION,
    member_id: MEMBER,
    aal: 'aal1',
    amr: ['password'],
    ip: '192.0.2.1',
    user_agent: 'Mozilla/5.0',
  },
  member: ({ member_id }) => member_id,
  hiddenFromViewers: true,
})
export const sessionRevoked = defineEvent({
  name: 'session.revoked',
  description:
    'A session was ended: by its member, by an operator, by a new password, because a refresh token was used twice, or because an address was confirmed for the first time. When a member is deactivated or deleted, all sessions end and only the event of the member is sent',
  data: Type.Object({ id: SessionId, member_id: MemberId, reason: oneOf(END_REASONS) }),
  example: { id: SESSION, member_id: MEMBER, reason: 'logout' },
  member: ({ member_id }) => member_id,
})
export const memberEmailVerified = defineEvent({
  name: 'member.email_verified',
  description: 'A member has confirmed their email address',
  data: Type.Object({ id: MemberId, email: Type.String({ format: 'email' }) }),
  example: { id: MEMBER, email: 'ada@example.com' },
  member: ({ id }) => id,
})
export const memberPasswordChanged = defineEvent({
  name: 'member.password_changed',
  description: 'A member has a new password; all other sessions were ended',
  data: Type.Object({ id: MemberId, by: oneOf(['change', 'reset', 'invitation']) }),
  example: { id: MEMBER, by: 'reset' },
  member: ({ id }) => id,
})
export const memberMfaEnabled = defineEvent({
  name: 'member.mfa_enabled',
  description: 'A member has added a second factor',
  data: Type.Object({ id: MemberId, factor: FactorSummary }),
  example: { id: MEMBER, factor: { id: 'fac_01jcq3k8f7e8qtk4m3hbw7rn2h', type: 'totp', name: 'Phone' } },
  member: ({ id }) => id,
  hiddenFromViewers: true,
})
export const memberMfaDisabled = defineEvent({
  name: 'member.mfa_disabled',
  description: 'A member has removed the last second factor, or an operator has removed all of them',
  data: Type.Object({ id: MemberId }),
  example: { id: MEMBER },
  member: ({ id }) => id,
  hiddenFromViewers: true,
})
export const memberPasskeyAdded = defineEvent({
  name: 'member.passkey_added',
  description: 'A member has added a passkey',
  data: Type.Object({ id: MemberId, factor: FactorSummary }),
  example: { id: MEMBER, factor: PASSKEY },
  member: ({ id }) => id,
  hiddenFromViewers: true,
})
export const memberPasskeyRemoved = defineEvent({
  name: 'member.passkey_removed',
  description: 'A member has removed a passkey, or an operator has removed all of them',
  data: Type.Object({ id: MemberId, factor: FactorSummary }),
  example: { id: MEMBER, factor: PASSKEY },
  member: ({ id }) => id,
  hiddenFromViewers: true,
})
export const invitationCreated = defineEvent({
  name: 'invitation.created',
  description: 'Somebody was invited to become a member',
  data: Invitation,
  example: exampleOf(Invitation),
  member: ({ member_id }) => member_id,
})
export const invitationAccepted = defineEvent({
  name: 'invitation.accepted',
  description: 'Somebody has accepted an invitation',
  data: Invitation,
  example: exampleOf(Invitation),
  member: ({ member_id }) => member_id,
})
export const invitationRevoked = defineEvent({
  name: 'invitation.revoked',
  description: 'An invitation was revoked',
  data: Invitation,
  example: exampleOf(Invitation),
  member: ({ member_id }) => member_id,
})
