import type { Certificate } from '#areas/lms/certificates/schema.ts'
import type { FullCourse, NewCourse } from '#areas/lms/courses/schema.ts'
import type { Enrollment } from '#areas/lms/enrollments/schema.ts'
import type { CourseDetail, CourseModule, Lesson, NewLesson } from '#areas/lms/outline/schema.ts'
import type { LessonProgress, ProgressPost } from '#areas/lms/progress/schema.ts'
import type { Attempt } from '#areas/lms/quizzes/attempt-schema.ts'
import type { Quiz, QuizInput } from '#areas/lms/quizzes/schema.ts'
import type { Answer } from '../api.ts'
import type { Side } from '../factories.ts'

const taken = <T>({ status, body }: Answer<{ data: T }>): T => {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data
}

/** A course that is published, with its lessons in one module. */
export interface MadeCourse extends FullCourse {
  readonly moduleId: string
  readonly lessons: readonly Lesson[]
}

/** A draft. */
export const makeDraft = async (side: Side, input: Partial<NewCourse> = {}): Promise<FullCourse> =>
  taken(await side.admin.post<{ data: FullCourse }>('/lms/courses', { title: 'First steps', ...input }))

export const makeModule = async (side: Side, course: string): Promise<CourseModule> =>
  taken(await side.admin.post<{ data: CourseModule }>(`/lms/courses/${course}/modules`, { title: 'Begin' }))

export const makeLesson = async (
  side: Side,
  module: string,
  input: Partial<NewLesson> = {},
): Promise<Lesson> =>
  taken(
    await side.admin.post<{ data: Lesson }>(`/lms/modules/${module}/lessons`, {
      title: 'A lesson',
      type: 'text',
      ...input,
    }),
  )

/** A published course with these lessons; with one text unless stated otherwise. */
export async function makeCourse(
  side: Side,
  input: Partial<NewCourse> = {},
  lessons: readonly Partial<NewLesson>[] = [{}],
): Promise<MadeCourse> {
  const { id } = await makeDraft(side, input)
  const module = await makeModule(side, id)
  const made: Lesson[] = []
  for (const lesson of lessons) made.push(await makeLesson(side, module.id, lesson))
  const course = taken(await side.admin.post<{ data: FullCourse }>(`/lms/courses/${id}/publish`))
  return { ...course, moduleId: module.id, lessons: made }
}

/** By key; whom nobody names is made for it. */
export async function enroll(side: Side, course: string, member?: string): Promise<Enrollment> {
  const student_id = member ?? (await side.makeMember()).id
  return taken(
    await side.admin.post<{ data: Enrollment }>('/lms/enrollments', { course_id: course, student_id }),
  )
}

export const getCourseDetail = async (side: Side, id: string, key = side.key): Promise<CourseDetail> =>
  taken(await side.as(key).get<{ data: CourseDetail }>(`/lms/courses/${id}`))

export const getEnrollment = async (side: Side, id: string): Promise<Enrollment> =>
  taken(await side.admin.get<{ data: Enrollment }>(`/lms/enrollments/${id}`))

/** By key. */
export const postProgress = async (side: Side, post: ProgressPost): Promise<LessonProgress> =>
  taken(await side.admin.post<{ data: LessonProgress }>('/lms/progress', post))

/** Completes lessons of an enrollment by key, one after the other. */
export async function complete(
  side: Side,
  { course_id, student_id }: Enrollment,
  lessons: readonly { id: string }[],
): Promise<void> {
  for (const { id } of lessons)
    await postProgress(side, { course_id, student_id, lesson_id: id, completed: true })
}

/** A certificate that was issued to somebody. */
export async function makeCertificate(side: Side, member?: string): Promise<Certificate> {
  const course = await makeCourse(side)
  const enrollment = await enroll(side, course.id, member)
  await complete(side, enrollment, course.lessons)
  const { certificate_id } = await getEnrollment(side, enrollment.id)
  return taken(await side.admin.get<{ data: Certificate }>(`/lms/certificates/${certificate_id}`))
}

export const QUIZ: QuizInput = {
  questions: [
    {
      id: 'needles',
      type: 'single',
      text: 'How many needles do you need?',
      options: [
        { id: 'one', text: 'One' },
        { id: 'two', text: 'Two' },
      ],
      correct_options: ['two'],
    },
  ],
}
export const RIGHT = { answers: [{ question_id: 'needles', options: ['two'] }] }
export const WRONG = { answers: [{ question_id: 'needles', options: ['one'] }] }

/** A published course with one lesson, which is a quiz. */
export async function makeQuiz(
  side: Side,
  input: Partial<QuizInput> = {},
  course: Partial<NewCourse> = {},
): Promise<{ course: MadeCourse; lesson: Lesson; quiz: Quiz }> {
  const made = await makeCourse(side, course, [{ type: 'quiz', title: 'Quiz' }])
  const lesson = made.lessons[0] as Lesson
  const quiz = taken(
    await side.admin.put<{ data: Quiz }>(`/lms/lessons/${lesson.id}/quiz`, { ...QUIZ, ...input }),
  )
  return { course: made, lesson, quiz }
}

/** By key, for a member. */
export const beginAttempt = async (side: Side, quiz: string, member: string): Promise<Attempt> =>
  taken(
    await side.admin.post<{ data: Attempt }>(`/lms/quizzes/${quiz}/attempts`, undefined, {
      headers: { 'x-user-id': member },
    }),
  )

/** An attempt of somebody who is enrolled. */
export async function makeAttempt(side: Side): Promise<Attempt> {
  const { course, quiz } = await makeQuiz(side)
  const member = await side.member()
  await enroll(side, course.id, member)
  return beginAttempt(side, quiz.id, member)
}
