import { type Static, Type } from 'typebox'
import { envelope, nullable, strict, Timestamp } from '#platform/http/envelope.ts'
import { RuleChanges, RuleId } from '../schema.ts'

/** Days of page views that are looked at. */
export const DAYS = 30
/** Pages, each counted once per member and once for everybody without a name, at the most. */
export const MOST_PAGES = 5_000
/** Members and pages that are named at the most. */
export const MOST_NAMED = 100

export const Simulate = strict(
  {
    rule_id: Type.Optional(
      Type.String({
        ...RuleId,
        description: 'The rule that changes. Without it the simulation adds a new rule',
      }),
    ),
    ...RuleChanges.properties,
  },
  { title: 'RuleDraft', needsOneOf: true, examples: [{ url_pattern: '/courses/**', after_days: 7 }] },
)
export type Simulate = Static<typeof Simulate>

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })

const Page = Type.Object(
  {
    host: nullable(Type.String({ examples: ['example.com'] })),
    path: Type.String({ examples: ['/courses/pottery'] }),
    views: Count('The number of views of these members and visitors', 12),
  },
  { title: 'SimulatedPage' },
)

const Side = (title: string) =>
  Type.Object(
    {
      members: Count('The number of members', 2),
      member_ids: Type.Array(Type.String({ examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'] }), {
        description: `The members with the most views, at most ${MOST_NAMED}; empty without \`read:members\``,
      }),
      views: Count('Views of members and of anonymous visitors', 30),
      anonymous_views: Count('Views of anonymous visitors', 18),
      pages: Type.Array(Page, { description: `The most viewed pages first, at most ${MOST_NAMED}` }),
    },
    { title },
  )

export const Simulation = Type.Object(
  {
    since: Timestamp({ description: 'The start of the views that were checked' }),
    views: Count('The number of views that were checked', 840),
    is_complete: Type.Boolean({
      description:
        'False if there were more pages than the simulation checks; the least viewed pages are missing',
      examples: [true],
    }),
    gain: Side('SimulatedGain'),
    lose: Side('SimulatedLoss'),
  },
  { title: 'RuleSimulation' },
)
export type Simulation = Static<typeof Simulation>
export const SimulationAnswer = envelope(Simulation)
