import { archiveCourse, createCourse, publishCourse } from '#areas/lms/courses/service.ts'
import { deleteEnrollment, enroll, updateEnrollment } from '#areas/lms/enrollments/service.ts'
import { attemptId, courseId, enrollmentId, lessonId, moduleId, quizId } from '#areas/lms/ids.ts'
import { createLesson, createModule } from '#areas/lms/outline/service.ts'
import { recordProgress, toPost } from '#areas/lms/progress/record.ts'
import type { QuizInput } from '#areas/lms/quizzes/schema.ts'
import { beginAttempt, putQuiz, submitAttempt } from '#areas/lms/quizzes/service.ts'
import { putRating } from '#areas/lms/ratings/queries.ts'
import type { Context } from '#platform/db/tenant.ts'
import { KEY } from '#platform/http/viewer.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { DAY_MS, HOUR_MS } from './agenda.ts'
import { rendered } from './community.ts'
import { actingAs, type Part, type Person, readPeople, type Scene } from './part.ts'

interface Plan {
  readonly title: string
  readonly description: string
  readonly level: 'beginner' | 'intermediate' | 'advanced'
  readonly price: number
  readonly modules: readonly { readonly title: string; readonly lessons: readonly string[] }[]
  readonly students: number
  /** It has nobody who learns: it is not published yet, or not any more. */
  readonly becomes?: 'draft' | 'archived'
}

const COURSES: readonly Plan[] = [
  {
    ...{
      title: 'Weaving on a frame loom',
      description: 'From the warp to a small rug',
      level: 'beginner',
      price: 0,
      students: 46,
    },
    modules: [
      { title: 'The loom', lessons: ['Parts of a loom', 'Warping'] },
      { title: 'The cloth', lessons: ['Plain weave', 'Soumak'] },
    ],
  },
  {
    ...{
      title: 'Dyeing with plants',
      description: 'Walnut, madder, indigo',
      level: 'intermediate',
      price: 49,
      students: 24,
    },
    modules: [
      { title: 'Before the pot', lessons: ['Scouring', 'Mordants'] },
      { title: 'Colors', lessons: ['Brown and red', 'Blue'] },
    ],
  },
  {
    ...{
      title: 'Lace without fear',
      description: 'Charts, lifelines, blocking',
      level: 'advanced',
      price: 29,
      students: 16,
    },
    modules: [{ title: 'Charts', lessons: ['Reading', 'Mistakes'] }],
  },
  {
    ...{ title: 'Spinning by hand', description: 'In spring', level: 'beginner', price: 35, students: 0 },
    modules: [{ title: 'The wheel', lessons: ['Choosing one', 'Oil and patience'] }],
    becomes: 'draft',
  },
  {
    ...{ title: 'Felt in a weekend', description: 'Held for the last time in September', level: 'beginner' },
    ...{ price: 0, students: 0, becomes: 'archived' },
    modules: [{ title: 'Wool and soap', lessons: ['Layers', 'Rolling'] }],
  },
]

const QUIZ: QuizInput = {
  pass_percentage: 60,
  max_attempts: 3,
  questions: [
    {
      id: 'first',
      type: 'single',
      text: 'What comes first?',
      options: [
        { id: 'plan', text: 'A plan' },
        { id: 'scissors', text: 'The scissors' },
      ],
      correct_options: ['plan'],
    },
    {
      id: 'water',
      type: 'single',
      text: 'Cold or hot water?',
      options: [
        { id: 'cold', text: 'Cold' },
        { id: 'hot', text: 'Hot' },
      ],
      correct_options: ['cold'],
    },
    {
      id: 'grams',
      type: 'number',
      text: 'How many grams has a small ball?',
      correct_number: 50,
      tolerance: 5,
    },
  ],
}

/** Courses with lessons and quizzes, students at every stage, grades, certificates and ratings. */
export const courses: Part = {
  name: 'courses',
  due: ['lms.expire-enrollments'],
  begin: async () => async (scene) => {
    const { ctx, agenda } = scene
    const people = await readPeople(ctx)
    for (const [i, plan] of COURSES.entries())
      agenda.at(scene.ago(84 - i * 12), async () => {
        const course = await make(ctx, scene, plan)
        if (plan.becomes !== undefined) return
        const count = Math.max(8, scene.many(plan.students))
        const first = i * 40
        for (let n = 0; n < count; n++) {
          const student = people[(first + n) % people.length]
          if (student === undefined) continue
          const begins = agenda.moment + DAY_MS + ((scene.place.now - agenda.moment - 3 * DAY_MS) * n) / count
          const at = Math.max(begins, Date.parse(student.created_at) + HOUR_MS)
          agenda.at(at, () => study(scene, course, { student, n, at }))
        }
      })
    await agenda.run()
  },
}

interface Course {
  /** The public id, and the stored one. */
  readonly id: string
  readonly stored: string
  /** Public ids of its lessons, the quiz last. */
  readonly lessons: readonly string[]
  readonly quiz: string
}

async function make(
  ctx: Context,
  { place }: Scene,
  { modules, students: _, becomes, ...input }: Plan,
): Promise<Course> {
  const { id } = await createCourse(ctx, place.config, {
    ...input,
    currency: 'eur',
    category: 'crafts',
    duration_hours: 3,
  })
  const stored = parseId(courseId, id) ?? ''
  const lessons: string[] = []
  let last = ''
  for (const { title, lessons: titles } of modules) {
    last = parseId(moduleId, (await createModule(ctx, stored, { title })).id) ?? ''
    for (const name of titles) {
      const text = rendered(`## ${name}\n\nRead it twice, then try it with **waste yarn**.`, true)
      const lesson = { title: name, type: 'text', content: text.source, content_html: text.html } as const
      lessons.push(toId(lessonId, (await createLesson(ctx, last, lesson)).id))
    }
  }
  const quizLesson = await createLesson(ctx, last, { title: 'What have you learned?', type: 'quiz' })
  const { id: quiz } = await putQuiz(ctx, quizLesson.id, QUIZ)
  if (becomes !== 'draft') await publishCourse(ctx, place.config, stored)
  if (becomes === 'archived') await archiveCourse(ctx, place.config, stored)
  return { id, stored, lessons, quiz: parseId(quizId, quiz) ?? '' }
}

interface Student {
  readonly student: Person
  readonly n: number
  readonly at: number
}

/** How far students come: enrolled, some lessons, a failed quiz, everything; a few are canceled or come to the end of their time. */
async function study(scene: Scene, course: Course, { student, n, at }: Student): Promise<void> {
  const { ctx, agenda, place } = scene
  const stage = n % 8
  const expires_at = stage === 7 ? new Date(Math.min(at + 5 * DAY_MS, place.now)).toISOString() : undefined
  const made = await enroll(ctx, actingAs(student.id, 'student_id'), {
    course_id: course.id,
    ...(expires_at && { expires_at }),
  })
  const id = parseId(enrollmentId, made.id) ?? ''
  if (stage === 0) return
  const done =
    stage === 1 || stage === 7
      ? course.lessons.slice(0, 1)
      : stage === 2
        ? course.lessons.slice(0, -1)
        : course.lessons
  for (const [k, lesson] of done.entries())
    agenda.at(at + (10 + 20 * k) * HOUR_MS, () =>
      learn(ctx, student.id, { course: course.id, lesson, part: stage === 1 ? 40 : 100 }),
    )
  const end = at + (20 + 20 * done.length) * HOUR_MS
  if (stage === 3) agenda.at(end, () => sit(ctx, student.id, course, false))
  if (stage >= 4 && stage <= 6) {
    if (stage === 5) agenda.at(end, () => sit(ctx, student.id, course, false))
    agenda.at(end + 5 * HOUR_MS, () => sit(ctx, student.id, course, true))
    agenda.at(end + 9 * HOUR_MS, () => rate(ctx, student.id, course, n))
  }
  if (stage === 2 && n === 10)
    agenda.at(end, () => deleteEnrollment(ctx, { isKey: true, memberId: null }, id))
  if (stage === 2 && n === 2) agenda.at(end, () => updateEnrollment(ctx, id, { status: 'canceled' }))
}

const learn = (
  ctx: Context,
  student: string,
  { course, lesson, part }: { course: string; lesson: string; part: number },
) =>
  recordProgress(
    ctx,
    actingAs(student),
    toPost({ course_id: course, lesson_id: lesson, progress_percentage: part, completed: part === 100 }),
  )

/** An attempt at the quiz: all right, or with one right answer of three. */
async function sit(ctx: Context, student: string, { quiz }: Course, isRight: boolean): Promise<void> {
  const who = actingAs(student)
  const { attempt } = await beginAttempt(ctx, KEY, who, quiz)
  const answers = [
    { question_id: 'first', options: ['plan'] },
    { question_id: 'water', options: [isRight ? 'cold' : 'hot'] },
    { question_id: 'grams', number: isRight ? 50 : 500 },
  ]
  await submitAttempt(ctx, KEY, who, { id: parseId(attemptId, attempt.id) ?? '', answers })
}

const rate = (ctx: Context, student: string, { stored }: Course, n: number) =>
  putRating(ctx, {
    ...{ id: newUuid(), course_id: stored, member_id: student },
    ...{ rating: 3 + (n % 3), text: n % 2 === 0 ? 'Clear, and not too fast.' : '' },
  })
