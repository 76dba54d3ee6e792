import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp, unsettable } from '#platform/http/envelope.ts'
import { FullCourse } from '../courses/schema.ts'
import {
  CourseId,
  EnrollmentId,
  FileId,
  LessonId,
  MaybeTimestamp,
  ModuleId,
  Percentage,
  QuizId,
  Title,
} from '../fields.ts'
import { lessonId, moduleId } from '../ids.ts'

export const LESSON_TYPES = ['video', 'text', 'quiz', 'file'] as const
export const COMPLETION_RULES = ['view', 'percent', 'quiz', 'manual'] as const
export type LessonType = (typeof LESSON_TYPES)[number]
export const ENROLLMENT_STATUSES = ['active', 'completed', 'expired', 'canceled'] as const

/** Percent of a lesson from which on it is complete by the rule `percent`. */
export const ENOUGH_PERCENT = 90

const Description = Type.String({
  maxLength: 2_000,
  examples: ['The tools that you need, and how to get them'],
})
const Minutes = Type.Number({
  minimum: 0,
  maximum: 100_000,
  description: 'The duration in minutes',
  examples: [12],
})
const Rule = oneOf(COMPLETION_RULES, {
  description: `The act that completes the lesson: \`view\`: the member says so; \`percent\`: ${ENOUGH_PERCENT} % of it; \`quiz\`: its quiz is passed; \`manual\`: a secret key says so`,
})
const Required = Type.Boolean({
  description: 'False: the course is complete without this lesson. If no lesson is required, all lessons are',
  examples: [true],
})
const DripDays = Type.Integer({
  minimum: 0,
  maximum: 3_650,
  description: 'The lesson opens this number of days after the enrollment',
  examples: [0],
})
const Url = Type.String({
  format: 'web-url',
  maxLength: 2_048,
  description: 'The address of the video or the file, if it is not a file of this project',
  examples: ['https://example.com/video.mp4'],
})
const Content = Type.String({
  maxLength: 50_000,
  description: 'Markdown',
  examples: ['Take **two** needles.'],
})

export const CourseModule = Type.Object(
  {
    id: ModuleId,
    course_id: CourseId,
    title: Title,
    description: Description,
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'CourseModule' },
)
export type CourseModule = Static<typeof CourseModule>

export const NewModule = strict(
  { title: Title, description: Type.Optional(Description) },
  { title: 'NewModule', examples: [{ title: 'Before you begin' }] },
)
export type NewModule = Static<typeof NewModule>
export const ModuleChanges = strict(
  { title: Type.Optional(Title), description: Type.Optional(unsettable(Description)) },
  { title: 'ModuleChanges', examples: [{ title: 'Before you begin' }] },
)
export type ModuleChanges = Static<typeof ModuleChanges>

const Caption = strict(
  {
    file_id: FileId,
    language: Type.String({
      pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      maxLength: 35,
      description: 'The language as a BCP 47 tag',
      examples: ['en'],
    }),
    label: Title,
  },
  { title: 'NewCaption' },
)

const lessonFields = {
  content: Type.Optional(Content),
  url: Type.Optional(nullable(Url)),
  file_id: Type.Optional(nullable(FileId)),
  captions: Type.Optional(
    Type.Array(Caption, {
      maxItems: 20,
      description: 'Subtitles of a video; each is a file',
      examples: [[]],
    }),
  ),
  duration_minutes: Type.Optional(nullable(Minutes)),
  completion_rule: Type.Optional(Rule),
  required: Type.Optional(Required),
  drip_days: Type.Optional(DripDays),
}
export const NewLesson = strict(
  { title: Title, type: oneOf(LESSON_TYPES), ...lessonFields },
  { title: 'NewLesson', examples: [{ title: 'Casting on', type: 'text', content: 'Take **two** needles.' }] },
)
export type NewLesson = Static<typeof NewLesson>
export const LessonChanges = strict(
  { title: Type.Optional(Title), ...lessonFields, content: Type.Optional(unsettable(Content)) },
  { title: 'LessonChanges', examples: [{ title: 'Casting on', required: false }] },
)
export type LessonChanges = Static<typeof LessonChanges>

const outlined = {
  id: LessonId,
  title: Title,
  type: oneOf(LESSON_TYPES),
  duration_minutes: nullable(Minutes),
  completion_rule: Rule,
  required: Required,
  drip_days: DripDays,
  quiz_id: nullable(QuizId),
}

/** What a lesson says to a member who is enrolled. */
const ofViewer = {
  is_completed: Type.Optional(
    Type.Boolean({ description: 'Only with the token of a member', examples: [false] }),
  ),
  progress_percentage: Type.Optional(Percentage),
  opens_at: Type.Optional(Timestamp({ description: 'When the lesson opens for the enrolled member' })),
}

export const OutlineLesson = Type.Object({ ...outlined, ...ofViewer }, { title: 'OutlineLesson' })
export type OutlineLesson = Static<typeof OutlineLesson>

export const CourseDetail = Type.Object(
  {
    ...FullCourse.properties,
    modules: Type.Array(
      Type.Object(
        { id: ModuleId, title: Title, description: Description, lessons: Type.Array(OutlineLesson) },
        { title: 'OutlineModule' },
      ),
    ),
    enrollment: Type.Optional(
      nullable(
        Type.Object({
          id: EnrollmentId,
          status: oneOf(ENROLLMENT_STATUSES),
          progress_percentage: Percentage,
          enrolled_at: Timestamp(),
          expires_at: MaybeTimestamp('When the access ends; null: it does not end'),
          completed_at: MaybeTimestamp('When the lesson was completed; null if it is not completed'),
        }),
      ),
    ),
  },
  { title: 'CourseDetail' },
)
export type CourseDetail = Static<typeof CourseDetail>

const LessonFile = {
  id: FileId,
  name: Type.String({ examples: ['scarf.pdf'] }),
  content_type: Type.String({ examples: ['application/pdf'] }),
  size: Type.Integer({ examples: [120_000] }),
  url: Type.String({
    description: 'This URL reads the file for an hour',
    format: 'web-url',
    examples: ['https://example.com/scarf.pdf'],
  }),
}

/** Why a lesson does not show its body. */
export const LOCKS = ['not_enrolled', 'not_open_yet', 'ended'] as const

export const Lesson = Type.Object(
  {
    ...outlined,
    course_id: CourseId,
    module_id: ModuleId,
    created_at: Timestamp(),
    updated_at: Timestamp(),
    locked: nullable(
      oneOf(LOCKS, { description: 'Why the fields below are left out; null if they are not left out' }),
    ),
    content: Type.Optional(Content),
    content_html: Type.Optional(
      Type.String({
        description: 'The content as HTML that is safe to show in any page',
        examples: ['<p>Take <strong>two</strong> needles.</p>'],
      }),
    ),
    url: Type.Optional(nullable(Url)),
    file: Type.Optional(nullable(Type.Object(LessonFile, { title: 'LessonFile' }))),
    captions: Type.Optional(
      Type.Array(
        Type.Object(
          { ...LessonFile, language: Caption.properties.language, label: Title },
          { title: 'Caption' },
        ),
      ),
    ),
    last_position: Type.Optional(
      nullable(
        Type.Number({
          description: 'The position in seconds at which the member continues a video',
          examples: [75.5],
        }),
      ),
    ),
    ...ofViewer,
  },
  { title: 'Lesson' },
)
export type Lesson = Static<typeof Lesson>

export const Order = strict(
  {
    modules: Type.Array(
      strict(
        { id: ModuleId, lessons: Type.Array(LessonId, { maxItems: 500, uniqueItems: true }) },
        { title: 'ModuleOrder' },
      ),
      { maxItems: 100 },
    ),
  },
  {
    title: 'OutlineOrder',
    examples: [
      { modules: [{ id: 'mod_01jcq3k8f7e8qtk4m3hbw7rn3b', lessons: ['les_01jcq3k8f7e8qtk4m3hbw7rn3c'] }] },
    ],
  },
)
export type Order = Static<typeof Order>

export const ByModule = strict({ id: pathId(moduleId, ModuleId) })
export const ByLesson = strict({ id: pathId(lessonId, LessonId) })
