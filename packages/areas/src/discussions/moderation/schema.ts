import { type Static, Type } from 'typebox'
import { KINDS } from '#areas/moderation/service.ts'
import { authorField, includeOfPosts } from '#areas/profiles/schema.ts'
import { attachmentsField, filesField } from '#areas/storage/schema.ts'
import { bulkRequest, bulkResult } from '#platform/http/bulk.ts'
import { filledText, nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { createdParameters, unsetOrder } from '#platform/http/list-parameters.ts'
import { pageParameters } from '#platform/http/page.ts'
import { CaseAppeal } from '../appeals/schema.ts'
import { caseId } from '../ids.ts'
import { Discussion, STATUSES } from '../schema.ts'

const Id = Type.String({ description: 'The id of a case', examples: ['rep_01jcq3k8f7e8qtk4m3hbw7rn2f'] })
const TargetId = Type.String({
  description: 'The id of the discussion, item of feedback or comment',
  examples: ['disc_01jcq3k8f7e8qtk4m3hbw7rn2f'],
})
const Reason = filledText({ maxLength: 200, examples: ['spam'] })
const Note = Type.String({ maxLength: 2000, examples: ['The third one today'] })

export const NewReport = strict(
  { target_id: TargetId, reason: Reason, note: Type.Optional(Note) },
  { title: 'NewReport' },
)
export type NewReport = Static<typeof NewReport>

export const Report = Type.Object(
  {
    id: Id,
    target_id: TargetId,
    reason: Reason,
    note: nullable(Note),
    is_new: Type.Boolean({
      description: 'False if this member has reported the post already',
      examples: [true],
    }),
  },
  { title: 'Report' },
)
export type Report = Static<typeof Report>

const fields = {
  id: Id,
  kind: oneOf(['reported', 'held'], {
    description:
      'Why the post is here: members reported it or its text changed, or it waits before others see it: as a first post in a moderated category, or because of a rule',
    examples: ['reported'],
  }),
  target_id: TargetId,
  discussion_id: nullable({
    ...Discussion.properties.id,
    description: 'The discussion; null for feedback and its comments',
  }),
  feedback_id: nullable(
    Type.String({
      description: 'The item of feedback; null for discussions and their comments',
      examples: ['fb_01jcq3k8f7e8qtk4m3hbw7rn2g'],
    }),
  ),
  report_count: Type.Integer({
    minimum: 0,
    description: 'The number of reports that count towards hiding the post',
    examples: [1],
  }),
  weight: Type.Number({
    minimum: 0,
    description:
      'The sum of the weights of these reports: from the threshold of the project on, the post is hidden',
    examples: [1],
  }),
  held_by: Type.Array(oneOf(KINDS, { examples: ['words'] }), {
    description: 'The kinds of the moderation rules that found something in the post',
  }),
  decision: nullable(oneOf(['approved', 'removed'], { examples: ['approved'] })),
  reason: nullable(Type.String({ description: 'The reason of the decision', examples: ['Advertising'] })),
  decided_by: nullable(
    Type.String({
      description: 'The id of the member or key that decided, or of the rule that is the moderation hook',
      examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
    }),
  ),
  decided_at: nullable(Timestamp()),
  created_at: Timestamp(),
}
export const Case = Type.Object(fields, { title: 'ModerationCase' })
export type Case = Static<typeof Case>

export const QueuedCase = Type.Object(
  {
    ...fields,
    title: Type.String({
      description:
        'The title of the discussion or of the item. An item without a title has the beginning of its message',
      examples: ['How do you plan your week?'],
    }),
    content: Type.String({ examples: ['Buy now!'] }),
    content_html: Type.String({
      description: 'The content as HTML that is safe to show in any page',
      examples: ['<p>Buy now!</p>\n'],
    }),
    author_id: nullable({
      ...Discussion.properties.author_id,
      description: 'The author; null if no member is named',
    }),
    status: oneOf(STATUSES, { description: 'The state of the post', examples: ['pending'] }),
    ...attachmentsField,
    ...filesField,
    hook_note: nullable(
      Type.String({
        description: 'The reason that the moderation hook gave, or why it gave no valid answer',
        examples: ['No valid answer: timeout'],
      }),
    ),
    appeal: Type.Union([CaseAppeal, Type.Null()], {
      description: 'The words of the author against the decision; null without an appeal',
    }),
    reports: Type.Array(
      Type.Object({
        member_id: Discussion.properties.author_id,
        reason: Reason,
        note: nullable(Note),
        counts: Type.Boolean({
          description:
            'False if the member wrote the post, or had reported it before a moderator approved it',
          examples: [true],
        }),
        weight: Type.Number({
          minimum: 0,
          maximum: 2,
          description:
            'The weight of the report: twice the share of the reports of its member that were right before, of the last 100 that moderators have decided, as if one more had been right and one wrong',
          examples: [1],
        }),
        created_at: Timestamp(),
        ...authorField,
      }),
      { description: 'The first 20 reports' },
    ),
    ...authorField,
  },
  { title: 'QueuedCase' },
)
export type QueuedCase = Static<typeof QueuedCase>

export const QueueQuery = strict({
  ...pageParameters,
  status: oneOf(['open', 'resolved', 'appealed'], {
    default: 'open',
    description:
      '`open`: cases that wait for a decision; `resolved`: decided cases; `appealed`: open and decided cases whose appeal waits for a decision',
  }),
  sort: oneOf(['age', 'weight'], {
    default: 'age',
    description:
      '`age`: by the time of creation; `weight`: by the weights of the reports, only with the status `open`',
  }),
  order: unsetOrder(
    '`asc` for the age of open and appealed cases, so that the oldest comes first; otherwise `desc`',
  ),
  ...createdParameters,
  include: includeOfPosts,
})
export type QueueQuery = Static<typeof QueueQuery>
export const ByCase = strict({ id: pathId(caseId, Id) })
const DecisionReason = filledText({ maxLength: 500, examples: ['Advertising'] })
export const Decision = strict(
  { reason: Type.Optional(DecisionReason) },
  { title: 'Approval', examples: [{ reason: 'A question like others' }] },
)
export const Removal = strict({ reason: DecisionReason }, { title: 'Removal' })

const BulkDecision = strict(
  {
    id: Id,
    action: oneOf(['approve', 'remove'], { description: 'What is decided', examples: ['remove'] }),
    reason: Type.Optional({
      ...DecisionReason,
      description: 'Why, in words for the author. `remove` needs it',
    }),
  },
  {
    title: 'BulkDecision',
    examples: [{ id: 'rep_01jcq3k8f7e8qtk4m3hbw7rn2f', action: 'remove', reason: 'Advertising' }],
  },
)
export type BulkDecision = Static<typeof BulkDecision>
export const BulkDecisions = bulkRequest(BulkDecision, 'BulkDecisions')
export const BulkDecided = bulkResult(Id, 'BulkDecided')
