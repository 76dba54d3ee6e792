import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'

const CaseId = Type.String({ description: 'The id of a case', examples: ['rep_01jcq3k8f7e8qtk4m3hbw7rn2f'] })

export const ByAppealed = strict({
  id: Type.String({
    description:
      'The id of the case, or of the post that it is about: a discussion, an item of feedback or a comment',
    examples: ['rep_01jcq3k8f7e8qtk4m3hbw7rn2f'],
  }),
})

const Text = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'The words of the author for the moderators',
  examples: ['It is no advertising: I have no part in that shop'],
})
export const NewAppeal = strict({ text: Text }, { title: 'NewAppeal' })

const Id = Type.String({ description: 'The id of an appeal', examples: ['apl_01jcq3k8f7e8qtk4m3hbw7rn2f'] })
const fields = { id: Id, text: Text, created_at: Timestamp() }
/** An appeal in the queue. */
export const CaseAppeal = Type.Object(
  {
    ...fields,
    decision: nullable(
      oneOf(['upheld', 'overturned'], {
        description:
          '`upheld`: the post is or stays removed; `overturned`: the post is shown; null until a moderator decides',
        examples: ['overturned'],
      }),
    ),
    decided_at: nullable(Timestamp()),
  },
  { title: 'CaseAppeal' },
)
export type CaseAppeal = Static<typeof CaseAppeal>

const TargetId = Type.String({
  description: 'The id of the discussion, item of feedback or comment',
  examples: ['disc_01jcq3k8f7e8qtk4m3hbw7rn2f'],
})
export const Appeal = Type.Object({ ...fields, case_id: CaseId, target_id: TargetId }, { title: 'Appeal' })
export type Appeal = Static<typeof Appeal>

/** What events tell of an appeal: no words of members. */
export const AppealData = Type.Object({
  id: Id,
  case_id: CaseId,
  target_id: TargetId,
  author_id: Type.String({
    description: 'The author of the post',
    examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
  }),
})
export const DecidedAppealData = Type.Object({
  ...AppealData.properties,
  decision: oneOf(['upheld', 'overturned'], { examples: ['overturned'] }),
  reason: nullable(Type.String({ examples: ['A question like others'] })),
  decided_by: nullable(
    Type.String({
      description: 'The id of the member or key that decided',
      examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
    }),
  ),
})
