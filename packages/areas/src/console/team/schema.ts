import { type Static, Type } from 'typebox'
import { invitationId } from '#areas/auth/ids.ts'
import { OperatorShown } from '#areas/auth/schema.ts'
import { Email } from '#areas/members/schema.ts'
import { nullable, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { Role } from '../projects/schema.ts'
import { ProjectId } from '../schema.ts'

const OperatorId = Type.String({
  description: 'The id of an operator',
  examples: ['op_01jcq3k8f7e8qtk4m3hbw7rn2d'],
})
const InvitationId = Type.String({
  description: 'The id of an invitation',
  examples: ['inv_01jcq3k8f7e8qtk4m3hbw7rn2d'],
})
const AddedBy = nullable(
  Type.String({ description: 'The operator who gave the role', examples: ['op_01jcq3k8f7e8qtk4m3hbw7rn2e'] }),
)

export const TeamMember = Type.Object(
  { ...OperatorShown.properties, role: Role, added_by: AddedBy, created_at: Timestamp() },
  { title: 'TeamMember' },
)
export type TeamMember = Static<typeof TeamMember>

export const NewTeamMember = strict({ operator_id: OperatorId, role: Role }, { title: 'NewTeamMember' })
export const RoleChange = strict({ role: Role }, { title: 'RoleChange' })
export const Transfer = strict({ operator_id: OperatorId }, { title: 'Transfer' })
export const ByTeamMember = strict({
  id: pathId('project', ProjectId),
  op: pathId('operator', OperatorId),
})

export const TeamInvitation = Type.Object(
  {
    id: InvitationId,
    email: Type.String({ examples: ['grace@example.com'] }),
    role: Role,
    invited_by: AddedBy,
    created_at: Timestamp(),
    expires_at: Timestamp(),
  },
  { title: 'TeamInvitation' },
)
export type TeamInvitation = Static<typeof TeamInvitation>

export const NewTeamInvitation = strict({ email: Email, role: Role }, { title: 'NewTeamInvitation' })
export const ByTeamInvitation = strict({
  id: pathId('project', ProjectId),
  invitation: pathId(invitationId, InvitationId),
})
export const ByOwnInvitation = strict({ id: pathId(invitationId, InvitationId) })

/** An invitation as the one who was invited sees it. */
export const OwnInvitation = Type.Object(
  {
    id: InvitationId,
    project: Type.Object({ id: ProjectId, name: Type.String({ examples: ['Analytical Engines'] }) }),
    role: Role,
    expires_at: Timestamp(),
  },
  { title: 'OwnInvitation' },
)

export const Joined = Type.Object({ project_id: ProjectId, role: Role }, { title: 'Joined' })
