import { sql } from 'kysely'
import { query } from '#platform/db/statement.ts'
import { defineList, keptIn } from '#platform/lists/list.ts'
import { equals } from '#platform/lists/list-filters.ts'

interface QuizOfRow {
  readonly quiz_id: string
  readonly lesson_id: string
  readonly attempts: number
  readonly best_percentage: number | null
  readonly passed: boolean
}

/** Enrollments of a course, the newest first, with the best of each quiz. How many there are is counted already. */
export const listGrades = defineList({
  label: 'gradebook',
  rows: () =>
    query
      .selectFrom('enrollments as e')
      .innerJoin('members as m', 'm.id', 'e.member_id')
      .leftJoin('certificates as t', 't.enrollment_id', 'e.id')
      .select(['e.id', 'e.member_id', 'e.status', 'e.progress_percentage', 'e.enrolled_at', 'e.completed_at'])
      .select(['m.full_name', 't.id as certificate_id'])
      .select(
        sql<QuizOfRow[]>`(select coalesce(json_agg(g), '[]') from (
          select a.quiz_id, q.lesson_id, count(*) as attempts, max(a.percentage) as best_percentage,
            coalesce(bool_or(a.passed), false) as passed
          from quiz_attempts a join quizzes q on q.id = a.quiz_id
          where a.enrollment_id = e.id group by a.quiz_id, q.lesson_id order by a.quiz_id) as g)`.as(
          'quizzes',
        ),
      ),
  key: 'e.id',
  scope: { course_id: equals<string>('e.course_id') },
  filters: { status: equals<string>('e.status') },
  kept: keptIn('enrollment_counts', 'enrollments', { status: 'status' }),
})
