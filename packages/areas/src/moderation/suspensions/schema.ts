import { type Static, Type } from 'typebox'
import { authorField, includeAuthor } from '#areas/profiles/schema.ts'
import { filledText, nullable, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { pageParameters } from '#platform/http/page.ts'

const Reason = filledText({
  maxLength: 500,
  description: 'Why, in words for the member',
  examples: ['Insults, after two warnings'],
})
const UNTIL = 'When it ends by itself; without it, a moderator ends it'

export const ByMember = strict({ id: pathId('member', MemberId) })

export const NewSuspension = strict(
  {
    reason: Reason,
    until: Type.Optional(Timestamp({ description: UNTIL, examples: ['2099-12-21T09:00:00.000Z'] })),
  },
  { title: 'NewSuspension' },
)
export type NewSuspension = Static<typeof NewSuspension>

const until = nullable(Timestamp({ description: UNTIL, examples: ['2099-12-21T09:00:00.000Z'] }))

export const Suspension = Type.Object(
  {
    member_id: MemberId,
    reason: Reason,
    until,
    suspended_by: nullable(
      Type.String({
        description: 'The id of the member or key that suspended the member',
        examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2e'],
      }),
    ),
    suspended_at: Timestamp(),
    ...authorField,
  },
  { title: 'Suspension' },
)
export type Suspension = Static<typeof Suspension>

export const SuspensionsQuery = strict({ ...pageParameters, include: includeAuthor })

export const Unsuspended = Type.Object(
  {
    member_id: MemberId,
    was_suspended: Type.Boolean({ description: 'False if nothing changed', examples: [true] }),
  },
  { title: 'Unsuspended' },
)
export type Unsuspended = Static<typeof Unsuspended>

/** What events tell: for whom, why and until when. */
export const SuspensionData = Type.Object({ id: MemberId, reason: Reason, until })
export const UnsuspensionData = Type.Object({
  id: MemberId,
  by: nullable(
    Type.String({
      description: 'The id of the member or key that ended it; null if it ended by itself',
      examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2e'],
    }),
  ),
})
