import { type Static, Type } from 'typebox'
import { AvatarUrlChange, Email, FullNameChange, INCLUDES, MemberWithPlan } from '#areas/members/schema.ts'
import { OWN_FIELDS, ownFields, profileChanges } from '#areas/profiles/schema.ts'
import { Metadata, strict } from '#platform/http/envelope.ts'
import { includeParameter } from '#platform/http/include.ts'
import { RedirectUrl } from '../schema.ts'

/** A member as the member reads it. */
export const MemberProfile = Type.Object(
  {
    ...MemberWithPlan.properties,
    ...ownFields,
    operator_id: Type.Optional(
      Type.String({
        description: 'Only while an operator is logged in as the member: the operator',
        examples: ['op_01jcq3k8f7e8qtk4m3hbw7rn2d'],
      }),
    ),
  },
  { title: 'MemberProfile' },
)
export type MemberProfile = Static<typeof MemberProfile>

export const ProfileQuery = strict({ include: includeParameter([...INCLUDES, ...OWN_FIELDS]) })

export const ProfileChanges = strict(
  {
    full_name: Type.Optional(FullNameChange),
    avatar_url: Type.Optional(AvatarUrlChange),
    metadata: Type.Optional(
      Metadata({
        description: 'These keys are added or replaced; a key set to null is removed; other keys are kept',
      }),
    ),
    email: Type.Optional({
      ...Email,
      description: 'The new address is used after it is confirmed; a mail is sent to it',
    }),
    redirect_url: Type.Optional(RedirectUrl),
    ...profileChanges,
  },
  { title: 'ProfileChanges', examples: [{ full_name: 'Ada King', display_name: 'Ada' }] },
)
