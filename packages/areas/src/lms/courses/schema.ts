import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp, unsettable } from '#platform/http/envelope.ts'
import { includeParameter } from '#platform/http/include.ts'
import { createdParameters, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { cursorParameters } from '#platform/http/page.ts'
import { CourseId, FileId, Title } from '../fields.ts'
import { courseId } from '../ids.ts'

export const LEVELS = ['beginner', 'intermediate', 'advanced'] as const
export const COURSE_STATUSES = ['draft', 'published', 'archived'] as const
export type CourseStatus = (typeof COURSE_STATUSES)[number]

const Slug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 80,
  description: 'Lower-case words joined by hyphens; unique in the project',
  examples: ['first-steps'],
})
const Description = Type.String({ maxLength: 10_000, examples: ['From the first stitch to a scarf'] })
const Category = Type.String({ maxLength: 80, examples: ['crafts'] })
const Level = oneOf(LEVELS, { description: 'The level of knowledge that the course expects' })
const Hours = Type.Number({
  minimum: 0,
  maximum: 10_000,
  description: 'The duration of the course in hours',
  examples: [3.5],
})
const Price = Type.Number({
  minimum: 0,
  maximum: 99_999_999,
  description:
    'The price in the currency, with at most as many decimals as the currency has; 0: members can enroll themselves',
  examples: [0],
})
const Currency = Type.String({
  pattern: '^[a-z]{3}$',
  description: 'The currency: an ISO 4217 code in lower case',
  examples: ['eur'],
})
const AccessDays = Type.Integer({
  minimum: 1,
  maximum: 36_500,
  description: 'Access ends this number of days after the enrollment; null: it does not end',
  examples: [365],
})
const Capacity = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description:
    'The largest number of members who are enrolled and have not completed the course; null: no limit. A grant enrolls a member beyond this limit, because it was paid for',
  examples: [30],
})
const Prerequisites = Type.Array(CourseId, {
  maxItems: 20,
  uniqueItems: true,
  description: 'Courses that a member must complete first',
  examples: [[]],
})
const Certificates = Type.Boolean({
  description: 'True: a member who completes the course gets a certificate',
  examples: [true],
})

/** What the list of the contract leaves out, and `include` brings. */
export const INCLUDES = ['currency', 'created_at'] as const
const byInclude = (field: string) => `Present with \`include=${field}\``
const includedFields = {
  currency: Type.Optional({ ...Currency, description: byInclude('currency') }),
  created_at: Type.Optional(Timestamp({ description: byInclude('created_at') })),
}

/** A course in a list: the fields that the contract has, and those that `include` brings. */
export const Course = Type.Object(
  {
    id: CourseId,
    title: Title,
    description: Description,
    thumbnail_url: Type.Optional(
      Type.String({
        description: 'Absent if it is not set',
        format: 'web-url',
        examples: ['https://example.com/thumbnail.png'],
      }),
    ),
    category: Category,
    level: Level,
    duration_hours: Hours,
    price: Price,
    enrolled_count: Type.Integer({
      description: 'The number of members who are or were enrolled, without canceled enrollments',
      examples: [12],
    }),
    rating: Type.Number({
      description: 'The mean of all ratings, with two decimals; 0 without ratings',
      examples: [4.5],
    }),
    status: oneOf(COURSE_STATUSES),
    ...includedFields,
  },
  { title: 'Course' },
)
export type Course = Static<typeof Course>

/** Everything about a course but its outline. */
export const FullCourse = Type.Object(
  {
    ...Course.properties,
    slug: Slug,
    currency: Currency,
    thumbnail_file_id: nullable(FileId),
    access_days: nullable(AccessDays),
    capacity: nullable(Capacity),
    prerequisites: Prerequisites,
    certificates: Certificates,
    rating_count: Type.Integer({ description: 'The number of ratings', examples: [8] }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'FullCourse' },
)
export type FullCourse = Static<typeof FullCourse>

export const NewCourse = strict(
  {
    title: Title,
    slug: Type.Optional(Slug),
    description: Type.Optional(Description),
    thumbnail_file_id: Type.Optional(nullable(FileId)),
    category: Type.Optional(Category),
    level: Type.Optional(Level),
    duration_hours: Type.Optional(Hours),
    price: Type.Optional(Price),
    currency: Type.Optional(Currency),
    access_days: Type.Optional(nullable(AccessDays)),
    capacity: Type.Optional(nullable(Capacity)),
    prerequisites: Type.Optional(Prerequisites),
    certificates: Type.Optional(Certificates),
  },
  {
    title: 'NewCourse',
    examples: [{ title: 'First steps', category: 'crafts', level: 'beginner', price: 0 }],
  },
)
export type NewCourse = Static<typeof NewCourse>

export const CourseChanges = strict(
  {
    ...NewCourse.properties,
    title: Type.Optional(Title),
    description: Type.Optional(unsettable(Description)),
    category: Type.Optional(unsettable(Category)),
  },
  { title: 'CourseChanges', examples: [{ title: 'First steps', capacity: 30 }] },
)
export type CourseChanges = Static<typeof CourseChanges>

export const ById = strict({ id: pathId(courseId, CourseId) })

export const ListQuery = strict({
  category: Type.Optional(Type.String({ maxLength: 80, description: 'Only courses of this category' })),
  level: Type.Optional(oneOf(LEVELS, { description: 'Only courses of this level' })),
  search: searchIn('the title or the description'),
  status: Type.Optional(
    oneOf([...COURSE_STATUSES, 'all'], {
      description:
        'Only for secret keys: courses with this status; `all`: all courses. Without it, published courses',
    }),
  ),
  include: includeParameter(INCLUDES),
  ...createdParameters,
  ...sortParameters(['created_at', 'title']),
  ...cursorParameters(100),
})
export type ListQuery = Static<typeof ListQuery>
