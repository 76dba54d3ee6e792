import { toId } from '#platform/ids.ts'
import { lessonId } from '../ids.ts'
import type { ProgressRow } from './queries.ts'
import type { Blocker, EnrollmentProgress } from './schema.ts'

/** What is missing for completion, in the order of the outline. @param rows all lessons of the enrollment */
export function blockersOf(rows: readonly ProgressRow[]): Blocker[] {
  if (rows.length === 0)
    return [
      {
        lesson_id: null,
        title: null,
        type: null,
        completion_rule: null,
        progress_percentage: 0,
        opens_at: null,
        reason: 'no_lessons',
      },
    ]
  const required = rows.filter((row) => row.required)
  return (required.length > 0 ? required : rows)
    .filter((row) => row.completed_at === null)
    .map((row) => ({
      lesson_id: toId(lessonId, row.id),
      title: row.title,
      type: row.type as Blocker['type'],
      completion_rule: row.completion_rule as Blocker['completion_rule'],
      progress_percentage: row.progress_percentage ?? 0,
      opens_at: row.opens_at,
      reason: reasonOf(row),
    }))
}

function reasonOf(row: ProgressRow): Blocker['reason'] {
  if (!row.has_begun) return 'not_open_yet'
  if (row.completion_rule === 'quiz') return row.quiz_id === null ? 'quiz_missing' : 'quiz_not_passed'
  return row.progress_percentage === null ? 'not_started' : 'in_progress'
}

export const toProgressOfLesson = (row: ProgressRow): EnrollmentProgress['lessons'][number] => ({
  lesson_id: toId(lessonId, row.id),
  title: row.title,
  is_completed: row.completed_at !== null,
  progress_percentage: row.progress_percentage ?? 0,
  last_position: row.last_position,
  completed_at: row.completed_at,
  opens_at: row.opens_at,
})
