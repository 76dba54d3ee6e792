import { type Static, Type } from 'typebox'
import {
  Metadata,
  MetadataOut,
  nullable,
  oneOf,
  pathId,
  strict,
  Timestamp,
  unsettable,
} from '#platform/http/envelope.ts'
import { includeParameter } from '#platform/http/include.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { PASSWORD_LENGTH } from '#platform/secrets/passwords.ts'

export const MEMBER_STATUSES = ['active', 'inactive', 'pending'] as const
export type MemberStatus = (typeof MEMBER_STATUSES)[number]

export const PlanId = Type.String({
  description: 'The id of a plan',
  examples: ['plan_01jcq3k8f7e8qtk4m3hbw7rn2e'],
})
export const Email = Type.String({ format: 'email', maxLength: 320, examples: ['ada@example.com'] })
/** No control characters: names go into the headers of mails. */
export const FullName = Type.String({
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
  examples: ['Ada Lovelace'],
})
export const AvatarUrl = Type.String({
  format: 'web-url',
  maxLength: 2048,
  examples: ['https://example.com/ada.png'],
})
/** What unsets it, too. */
export const AvatarUrlChange = nullable({ ...AvatarUrl, description: 'Null removes the picture' })
export const FullNameChange = unsettable(FullName)
const OperatorsPlan = nullable({
  ...PlanId,
  description:
    'The plan that the operator sets. It counts more than subscriptions and orders; null removes it. A change cancels a running subscription',
})
const Status = oneOf(MEMBER_STATUSES)
export const Role = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,31}$',
  description: '`member`, `admin` or a role that you define',
  examples: ['member'],
})

/** What every answer shows of a member. */
export const Member = Type.Object({
  id: MemberId,
  email: Type.String({ format: 'email', examples: ['ada@example.com'] }),
  full_name: Type.String({ description: 'Empty if it is not set', examples: ['Ada Lovelace'] }),
  avatar_url: Type.Optional(
    Type.String({
      format: 'web-url',
      description: 'Absent if it is not set',
      examples: ['https://example.com/ada.png'],
    }),
  ),
  status: Status,
  plan_id: PlanId,
  metadata: MetadataOut,
  created_at: Timestamp(),
})
export type Member = Static<typeof Member>

/** What the answers of the contract leave out, and `include` brings. */
export const INCLUDES = ['role', 'updated_at', 'last_login_at'] as const
const byInclude = (field: string) => `Present with \`include=${field}\``
const includedFields = {
  role: Type.Optional({ ...Role, description: byInclude('role') }),
  updated_at: Type.Optional(Timestamp({ description: byInclude('updated_at') })),
  last_login_at: Type.Optional(
    Timestamp({ description: `${byInclude('last_login_at')}; absent until the first login` }),
  ),
}

/** A member in a list. */
export const ListedMember = Type.Object(
  {
    ...Member.properties,
    ...includedFields,
    deleted_at: Type.Optional(Timestamp({ description: 'Present with `deleted=true`' })),
  },
  { title: 'ListedMember' },
)
export type ListedMember = Static<typeof ListedMember>

export const UpdatedMember = Type.Object(
  { ...Member.properties, updated_at: Timestamp(), role: includedFields.role },
  { title: 'UpdatedMember' },
)
export type UpdatedMember = Static<typeof UpdatedMember>

export const MemberWithPlan = Type.Object(
  {
    ...UpdatedMember.properties,
    plan: Type.Object({
      id: PlanId,
      name: Type.String({ examples: ['Supporter'] }),
      price: Type.Number({
        description: 'The price that this member pays, in the currency of the plan',
        examples: [9.5],
      }),
    }),
    last_login_at: Type.Optional(Timestamp({ description: 'Absent until the first login' })),
  },
  { title: 'MemberWithPlan' },
)
export type MemberWithPlan = Static<typeof MemberWithPlan>

/** What creating a member answers: a shape of its own. */
export const CreatedMember = Type.Object(
  {
    id: MemberId,
    email: Type.String({ format: 'email', examples: ['ada@example.com'] }),
    role: Role,
    status: Status,
    metadata: MetadataOut,
    joined_date: Timestamp(),
  },
  { title: 'CreatedMember' },
)
export type CreatedMember = Static<typeof CreatedMember>

/** A member as events show it. */
export const MemberData = Type.Object({ ...UpdatedMember.properties, role: Role }, { title: 'Member' })

export const NewMember = strict(
  {
    email: Email,
    password: Type.Optional(
      Type.String({
        ...PASSWORD_LENGTH,
        format: 'password',
        description: 'Without a password, the member cannot log in by password',
        examples: ['correct horse battery'],
      }),
    ),
    role: Type.Optional({ ...Role, default: 'member' }),
    full_name: Type.Optional(FullName),
    avatar_url: Type.Optional(AvatarUrl),
    plan_id: Type.Optional(
      Type.String({
        description: 'Default: the default plan of the project',
        examples: ['plan_01jcq3k8f7e8qtk4m3hbw7rn2e'],
      }),
    ),
    status: Type.Optional(oneOf(MEMBER_STATUSES, { default: 'active' })),
    metadata: Type.Optional(Metadata()),
    send_invitation: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'True sends a mail with a link. The member opens the link, confirms the address and sets a password',
      }),
    ),
  },
  {
    title: 'NewMember',
    examples: [{ email: 'ada@example.com', full_name: 'Ada Lovelace', metadata: { company: 'Example Ltd' } }],
  },
)
export type NewMember = Static<typeof NewMember>

export const MemberChanges = strict(
  {
    email: Type.Optional(Email),
    full_name: Type.Optional(FullNameChange),
    avatar_url: Type.Optional(AvatarUrlChange),
    plan_id: Type.Optional(OperatorsPlan),
    role: Type.Optional(Role),
    status: Type.Optional(Status),
    metadata: Type.Optional(
      Metadata({
        description: 'These keys are added or replaced; a key set to null is removed; other keys are kept',
      }),
    ),
  },
  {
    title: 'MemberChanges',
    examples: [{ full_name: 'Ada King', metadata: { company: null, city: 'London' } }],
  },
)
export type MemberChanges = Static<typeof MemberChanges>

export const DELETE_MODES = ['soft', 'anonymize'] as const
export type DeleteMode = (typeof DELETE_MODES)[number]
const Mode = oneOf(DELETE_MODES, {
  default: 'soft',
  description:
    '`soft`: the member can be restored for 30 days; `anonymize`: personal data is erased and cannot be restored',
})

export const ById = strict({ id: pathId('member', MemberId) })
export const GetQuery = strict({ include: includeParameter(INCLUDES) })
/** What a change answers has `updated_at` anyway. */
export const ChangeQuery = strict({ include: includeParameter(['role']) })
export const DeleteQuery = strict({ mode: Type.Optional(Mode) })

export const MemberStats = Type.Object(
  {
    total: Type.Integer({ examples: [1] }),
    by_status: Type.Object(
      { active: Type.Integer(), inactive: Type.Integer(), pending: Type.Integer() },
      { examples: [{ active: 1, inactive: 0, pending: 0 }] },
    ),
    by_plan: Type.Array(Type.Object({ plan_id: PlanId, members: Type.Integer() }), {
      description: 'The plans that have members',
    }),
    created: Type.Object(
      { last_7_days: Type.Integer(), last_30_days: Type.Integer() },
      { description: 'The number of members that joined lately' },
    ),
  },
  { title: 'MemberStats' },
)
export type MemberStats = Static<typeof MemberStats>
