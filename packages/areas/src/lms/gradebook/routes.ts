import type { AnswerOf } from '#platform/db/query.ts'
import type { Api } from '#platform/http/api.ts'
import { listEnvelope } from '#platform/http/envelope.ts'
import { mapPage } from '#platform/http/page.ts'
import { KEY } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { ById } from '../courses/schema.ts'
import { certificateId, enrollmentId, lessonId, quizId } from '../ids.ts'
import { assertCourse } from '../ratings/queries.ts'
import { listGrades } from './queries.ts'
import { GradebookRow, ListQuery } from './schema.ts'

export function gradebookRoutes(api: Api): void {
  api.get(
    '/lms/courses/:id/gradebook',
    {
      config: { access: { secret: 'read:learning' } },
      schema: {
        operationId: 'getGradebook',
        summary: 'List the progress of all members of a course',
        description: 'One row for each enrollment, newest first, with the best attempt at each quiz.',
        params: ById,
        querystring: ListQuery,
        response: { 200: listEnvelope(GradebookRow) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { grades } = await request.read({
        course: assertCourse({ id, ...KEY }),
        grades: listGrades({ ...request.query, course_id: id }),
      })
      return mapPage(grades, toGrade)
    },
  )
}

const toGrade = (row: AnswerOf<typeof listGrades>['rows'][number]): GradebookRow => ({
  enrollment_id: toId(enrollmentId, row.id),
  student_id: toId('member', row.member_id),
  student_name: row.full_name,
  status: row.status as GradebookRow['status'],
  progress_percentage: row.progress_percentage,
  enrolled_at: row.enrolled_at,
  completed_at: row.completed_at,
  certificate_id: row.certificate_id === null ? null : toId(certificateId, row.certificate_id),
  quizzes: row.quizzes.map((quiz) => ({
    ...quiz,
    quiz_id: toId(quizId, quiz.quiz_id),
    lesson_id: toId(lessonId, quiz.lesson_id),
  })),
})
