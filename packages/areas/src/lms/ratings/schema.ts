import { type Static, Type } from 'typebox'
import { authorField, includeAuthor } from '#areas/profiles/schema.ts'
import { strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { CourseId, StudentId } from '../fields.ts'

const Stars = Type.Integer({ minimum: 1, maximum: 5, examples: [5] })
const Text = Type.String({ maxLength: 5_000, examples: ['Clear and to the point'] })

export const Rating = Type.Object(
  {
    course_id: CourseId,
    student_id: StudentId,
    rating: Stars,
    text: Text,
    created_at: Timestamp(),
    updated_at: Timestamp(),
    ...authorField,
  },
  { title: 'Rating' },
)
export type Rating = Static<typeof Rating>

export const RatingInput = strict(
  { rating: Stars, text: Type.Optional(Text) },
  { title: 'RatingInput', examples: [{ rating: 5, text: 'Clear and to the point' }] },
)
export const ListQuery = strict({ ...pageParameters, include: includeAuthor })
