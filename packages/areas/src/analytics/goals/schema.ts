import { type Static, Type } from 'typebox'
import { nullable, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { goalId } from '../ids.ts'

export const GoalId = Type.String({
  description: 'The id of a goal',
  examples: ['goal_01jcq3k8f7e8qtk4m3hbw7rn2d'],
})
const Name = Type.String({ minLength: 1, maxLength: 120, examples: ['Signed up'] })
const Event = Type.String({
  minLength: 1,
  maxLength: 120,
  description: 'The name of the event that the goal counts',
  examples: ['signup'],
})
const Page = Type.String({
  pattern: '^/[^\\u0000-\\u001f]*$',
  maxLength: 500,
  description:
    'A pattern for the paths of the page views that the goal counts; `*` matches any text within a segment, `**` matches any number of segments. Encoded and decoded characters are equal; answers have them decoded, without a slash at the end',
  examples: ['/welcome/**'],
})

export const Goal = Type.Object(
  {
    id: GoalId,
    name: Name,
    event: nullable(Event),
    page: nullable(Page),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  {
    title: 'Goal',
    examples: [
      {
        id: 'goal_01jcq3k8f7e8qtk4m3hbw7rn2d',
        name: 'Signed up',
        event: 'signup',
        page: null,
        created_at: '2026-11-21T09:00:00.000Z',
        updated_at: '2026-11-21T09:00:00.000Z',
      },
    ],
  },
)
export type Goal = Static<typeof Goal>

export const NewGoal = strict(
  { name: Type.Optional(Name), event: Type.Optional(Event), page: Type.Optional(Page) },
  { title: 'NewGoal', needsOneOf: true, examples: [{ name: 'Signed up', event: 'signup' }] },
)
export type NewGoal = Static<typeof NewGoal>

export const GoalChanges = strict(
  { name: Type.Optional(Name), event: Type.Optional(Event), page: Type.Optional(Page) },
  { title: 'GoalChanges', examples: [{ name: 'Welcomed', page: '/welcome/**' }] },
)
export type GoalChanges = Static<typeof GoalChanges>

export const ById = strict({ id: pathId(goalId, GoalId) })
export const ListQuery = strict(pageParameters)
