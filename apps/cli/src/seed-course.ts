import { createCourse, publishCourse } from '#areas/lms/courses/service.ts'
import { enroll } from '#areas/lms/enrollments/service.ts'
import { courseId, moduleId } from '#areas/lms/ids.ts'
import { createLesson, createModule } from '#areas/lms/outline/service.ts'
import type { QuizInput } from '#areas/lms/quizzes/schema.ts'
import { putQuiz } from '#areas/lms/quizzes/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'
import { render } from '#platform/markdown/render.ts'

const WELCOME = `## What you need

- two needles
- a ball of wool, not too thin
- **half an hour**`

const QUIZ: QuizInput = {
  pass_percentage: 50,
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
      explanation: 'One for each hand.',
    },
    {
      id: 'time',
      type: 'number',
      text: 'How many minutes does it take?',
      correct_number: 30,
      tolerance: 5,
    },
  ],
}

/** Publishes a course with a video, a text and a quiz, and enrolls a member. @param place where the API is */
export async function seedCourse(
  ctx: Context,
  place: { BASE_URL: string },
  studentId: string,
): Promise<void> {
  const course = await createCourse(ctx, place, {
    title: 'Knitting for beginners',
    description: 'From the first stitch to a scarf',
    category: 'crafts',
    duration_hours: 1.5,
  })
  const id = parseId(courseId, course.id) ?? ''
  const begin = parseId(moduleId, (await createModule(ctx, id, { title: 'Before you begin' })).id) ?? ''
  const scarf = parseId(moduleId, (await createModule(ctx, id, { title: 'Your first scarf' })).id) ?? ''
  const rendered = render({ typed: WELCOME, keepsLabels: true })
  await createLesson(ctx, begin, {
    title: 'What you need',
    type: 'text',
    content: WELCOME,
    content_html: typeof rendered === 'string' ? '' : rendered.html,
  })
  await createLesson(ctx, scarf, {
    title: 'Casting on',
    type: 'video',
    url: 'https://example.com/casting-on.mp4',
    duration_minutes: 12,
  })
  const { id: quiz } = await createLesson(ctx, scarf, { title: 'What have you learned?', type: 'quiz' })
  await putQuiz(ctx, quiz, QUIZ)
  await publishCourse(ctx, place, id)
  const student = {
    memberId: parseId('member', studentId),
    field: 'student_id',
    byToken: false,
    writes: true,
    refusesSuspended: false,
  }
  await enroll(ctx, student, { course_id: course.id })
}
