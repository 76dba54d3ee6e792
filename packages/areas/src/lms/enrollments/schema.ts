import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { datesWhen, idParameter, sortParameters } from '#platform/http/list-parameters.ts'
import { cursorParameters } from '#platform/http/page.ts'
import { Course } from '../courses/schema.ts'
import {
  CertificateId,
  CourseId,
  EnrollmentId,
  LessonId,
  MaybeTimestamp,
  Percentage,
  StudentId,
  Title,
} from '../fields.ts'
import { enrollmentId } from '../ids.ts'
import { COMPLETION_RULES, ENROLLMENT_STATUSES, LESSON_TYPES } from '../outline/schema.ts'
import { BASES } from './access-bases.ts'

export type EnrollmentStatus = (typeof ENROLLMENT_STATUSES)[number]
export const SOURCES = ['self', 'key', 'grant'] as const

const Status = oneOf(ENROLLMENT_STATUSES, {
  description:
    '`active`; `completed`: all required lessons are completed, and the status stays; `expired`: the access has ended; `canceled`',
})
const { title, thumbnail_url, level, duration_hours } = Course.properties

/** An enrollment in a list: the fields that the contract has. */
export const ListedEnrollment = Type.Object(
  {
    id: EnrollmentId,
    course_id: CourseId,
    status: Status,
    progress_percentage: Percentage,
    enrolled_at: Timestamp(),
    courses: Type.Object(
      { id: CourseId, title, thumbnail_url, level, duration_hours },
      { description: 'The course' },
    ),
  },
  { title: 'ListedEnrollment' },
)
export type ListedEnrollment = Static<typeof ListedEnrollment>

export const Enrollment = Type.Object(
  {
    id: EnrollmentId,
    course_id: CourseId,
    student_id: StudentId,
    status: Status,
    progress_percentage: Percentage,
    source: oneOf(SOURCES, {
      description: 'The actor who enrolled the member: the member, a key, or a grant (an order or a plan)',
    }),
    basis: oneOf(BASES, {
      description:
        'The reason for the enrollment, or its last reason: an order line, a feature `course:<slug>` of the plan or of a grant, a key, or a price of 0. The enrollment ends when its reason ends',
    }),
    enrolled_at: Timestamp(),
    expires_at: MaybeTimestamp('When the access ends; null: no end is known'),
    completed_at: MaybeTimestamp('When the course was completed; null if it is not completed'),
    certificate_id: nullable(CertificateId),
  },
  { title: 'Enrollment' },
)
export type Enrollment = Static<typeof Enrollment>

const ExpiresAt = nullable(Timestamp({ description: 'When the access ends; null: it does not end' }))

export const NewEnrollment = strict(
  {
    course_id: CourseId,
    student_id: Type.Optional(StudentId),
    expires_at: Type.Optional(
      nullable(
        Timestamp({
          description:
            'The time when the access ends. Only a secret key can send it. Without it, the access ends as `access_days` of the course says; null: it does not end',
        }),
      ),
    ),
  },
  {
    title: 'NewEnrollment',
    examples: [{ course_id: 'crs_01jcq3k8f7e8qtk4m3hbw7rn3a', student_id: 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d' }],
  },
)
export type NewEnrollment = Static<typeof NewEnrollment>

export const EnrollmentChanges = strict(
  {
    expires_at: Type.Optional(ExpiresAt),
    status: Type.Optional(
      oneOf(['active', 'canceled'], {
        description:
          '`active` reopens an enrollment that was canceled or has expired. It ends at `expires_at` if a secret key has set that and it is in the future',
      }),
    ),
  },
  { title: 'EnrollmentChanges', examples: [{ expires_at: '2027-11-21T09:00:00.000Z' }] },
)
export type EnrollmentChanges = Static<typeof EnrollmentChanges>

export const ListQuery = strict({
  student_id: Type.Optional(
    Type.String({
      maxLength: 60,
      description: 'The member who learns; required with a secret key',
      examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
    }),
  ),
  course_id: idParameter(CourseId, 'Only enrollments in this course'),
  ...datesWhen('began'),
  ...sortParameters(['enrolled_at']),
  ...cursorParameters(100),
})

export const ById = strict({ id: pathId(enrollmentId, EnrollmentId) })

export const EnrollmentProgress = Type.Object(
  {
    enrollment_id: EnrollmentId,
    status: Status,
    progress_percentage: Percentage,
    lessons: Type.Array(
      Type.Object(
        {
          lesson_id: LessonId,
          title: Title,
          is_completed: Type.Boolean({ examples: [true] }),
          progress_percentage: Percentage,
          last_position: nullable(
            Type.Number({ description: 'The last position in a video, in seconds', examples: [75.5] }),
          ),
          completed_at: MaybeTimestamp('When the lesson was completed; null if it is not completed'),
          opens_at: Timestamp(),
        },
        { title: 'ProgressOfLesson' },
      ),
    ),
  },
  { title: 'EnrollmentProgress' },
)
export type EnrollmentProgress = Static<typeof EnrollmentProgress>

export const REASONS = [
  'not_open_yet',
  'not_started',
  'in_progress',
  'quiz_not_passed',
  'quiz_missing',
  'no_lessons',
] as const
export const Blocker = Type.Object(
  {
    lesson_id: nullable(LessonId),
    title: nullable(Title),
    type: nullable(oneOf(LESSON_TYPES)),
    completion_rule: nullable(oneOf(COMPLETION_RULES)),
    progress_percentage: Percentage,
    opens_at: nullable(Timestamp()),
    reason: oneOf(REASONS, {
      description: '`no_lessons`: the course has no lessons; `quiz_missing`: the lesson has no quiz to pass',
    }),
  },
  { title: 'Blocker' },
)
export type Blocker = Static<typeof Blocker>
