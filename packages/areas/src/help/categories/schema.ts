import { type Static, Type } from 'typebox'
import { nullable, pathId, strict, Timestamp, unsettable } from '#platform/http/envelope.ts'
import { includeParameter } from '#platform/http/include.ts'
import { categoryId } from '../ids.ts'
import { CategoryId, Slug } from '../schema.ts'

const Name = Type.String({ minLength: 1, maxLength: 120, examples: ['Your account'] })
const Description = Type.String({ maxLength: 2000, examples: ['Passwords, addresses and plans'] })
const Icon = Type.String({
  maxLength: 200,
  description: 'The name or the address of a picture; your pages decide how to show it',
  examples: ['user'],
})
const CategorySlug = { ...Slug, examples: ['your-account'] }
const Parent = { ...CategoryId, description: 'The parent category; null: the category is at the top level' }
const Position = Type.Integer({
  minimum: -1_000_000,
  maximum: 1_000_000,
  description: 'Categories are shown in the order of their positions',
  examples: [1],
})

/** As the list answers it. */
export const HelpCategory = Type.Object(
  {
    id: CategoryId,
    name: Name,
    description: Description,
    icon: Icon,
    article_count: Type.Integer({
      description:
        'The number of published articles that are directly in this category and that the reader may read',
      examples: [3],
    }),
  },
  { title: 'HelpCategory' },
)
export type HelpCategory = Static<typeof HelpCategory>

const detail = {
  ...HelpCategory.properties,
  slug: CategorySlug,
  parent_id: nullable(Parent),
  position: Position,
  created_at: Timestamp(),
  updated_at: Timestamp(),
}

/** What the list of the contract leaves out, and `include` brings. */
export const INCLUDES = ['slug', 'parent_id', 'position'] as const
const byInclude = (field: (typeof INCLUDES)[number]) => `Present with \`include=${field}\``

/** A category in the list. */
export const ListedHelpCategory = Type.Object(
  {
    ...HelpCategory.properties,
    slug: Type.Optional({ ...CategorySlug, description: byInclude('slug') }),
    parent_id: Type.Optional(
      nullable({ ...Parent, description: `${Parent.description}. ${byInclude('parent_id')}` }),
    ),
    position: Type.Optional({ ...Position, description: byInclude('position') }),
  },
  { title: 'ListedHelpCategory' },
)

/** As everything else answers it. */
export const HelpCategoryDetail = Type.Object(detail, { title: 'HelpCategoryDetail' })
export type HelpCategoryDetail = Static<typeof HelpCategoryDetail>

const Step = Type.Object({ id: CategoryId, name: Name, slug: CategorySlug }, { title: 'HelpCategoryStep' })

export const HelpCategoryPage = Type.Object(
  {
    ...detail,
    path: Type.Array(Step, { description: 'The parent categories, from the top level down' }),
    children: Type.Array(HelpCategory, { description: 'The subcategories' }),
  },
  { title: 'HelpCategoryPage' },
)
export type HelpCategoryPage = Static<typeof HelpCategoryPage>

const optional = {
  slug: Type.Optional(CategorySlug),
  description: Type.Optional(Description),
  icon: Type.Optional(Icon),
  parent_id: Type.Optional(nullable(Parent)),
  position: Type.Optional(Position),
}
export const NewHelpCategory = strict(
  { name: Name, ...optional },
  { title: 'NewHelpCategory', examples: [{ name: 'Your account', icon: 'user', position: 1 }] },
)
export type NewHelpCategory = Static<typeof NewHelpCategory>

export const HelpCategoryChanges = strict(
  {
    name: Type.Optional(Name),
    ...optional,
    description: Type.Optional(unsettable(Description)),
    icon: Type.Optional(unsettable(Icon)),
  },
  { title: 'HelpCategoryChanges', examples: [{ name: 'Account and plans' }] },
)
export type HelpCategoryChanges = Static<typeof HelpCategoryChanges>

export const ById = strict({ id: pathId(categoryId, CategoryId) })

export const ListQuery = strict({
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 100,
    description: 'The largest number of categories in the answer',
  }),
  cursor: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The place to continue: the `cursor` of the `Link` header of the previous answer',
    }),
  ),
  parent_id: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Only subcategories of this category; `none`: only categories at the top level',
    }),
  ),
  include: includeParameter(INCLUDES),
})
export type ListQuery = Static<typeof ListQuery>
