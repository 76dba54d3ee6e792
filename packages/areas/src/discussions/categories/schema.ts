import { type Static, Type } from 'typebox'
import { pathId, strict, Timestamp, unsettable } from '#platform/http/envelope.ts'
import { categoryId } from '../ids.ts'

const Id = Type.String({
  description: 'The id of a category',
  examples: ['dcat_01jcq3k8f7e8qtk4m3hbw7rn2f'],
})
const Name = Type.String({ minLength: 1, maxLength: 80, examples: ['General'] })
const Slug = Type.String({
  minLength: 1,
  maxLength: 80,
  description: 'Lower-case words joined by hyphens; unique in the project',
  examples: ['general'],
})
const Description = Type.String({ maxLength: 2000, examples: ['Everything else'] })
const Position = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'The position in lists; categories with the same position are sorted by age',
  examples: [0],
})
const RequiredPlans = Type.Array(Type.String({ examples: ['plan_01jcq3k8f7e8qtk4m3hbw7rn2e'] }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'Only members on one of these plans can read and write in this category; empty: everybody can',
})
const Moderated = Type.Boolean({
  description: 'True: the first post of a member waits for a moderator',
  examples: [false],
})

export const Category = Type.Object(
  {
    id: Id,
    slug: Slug,
    name: Name,
    description: Description,
    position: Position,
    requires_plan: Type.Boolean({ description: 'Whether a plan opens this category', examples: [true] }),
    required_plans: {
      ...RequiredPlans,
      description:
        'The plans that open this category; one is enough. Only secret keys see plans here that are not public',
    },
    moderated: Moderated,
    discussion_count: Type.Integer({
      minimum: 0,
      description: 'The number of visible discussions',
      examples: [12],
    }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'DiscussionCategory' },
)
export type Category = Static<typeof Category>

export const NewCategory = strict(
  {
    name: Name,
    slug: Type.Optional(Slug),
    description: Type.Optional(Description),
    position: Type.Optional(Position),
    required_plans: Type.Optional(RequiredPlans),
    moderated: Type.Optional(Moderated),
  },
  { title: 'NewDiscussionCategory', examples: [{ name: 'General', description: 'Everything else' }] },
)
export type NewCategory = Static<typeof NewCategory>

export const CategoryChanges = strict(
  {
    ...NewCategory.properties,
    name: Type.Optional(Name),
    description: Type.Optional(unsettable(Description)),
  },
  { title: 'DiscussionCategoryChanges', examples: [{ moderated: true }] },
)
export type CategoryChanges = Static<typeof CategoryChanges>

export const ByCategory = strict({ id: pathId(categoryId, Id) })
