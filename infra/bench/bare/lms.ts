import { courseId, lessonId } from '#areas/lms/ids.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import type { Bare } from './bare.ts'

const SAVE = {
  name: 'save',
  text: `insert into lesson_progress (project_id, id, enrollment_id, member_id, lesson_id, progress_percentage, last_position,
      updated_at)
    select $1, $2, e.id, e.member_id, $5, $6, $7, now() from enrollments e
    where e.project_id = $1 and e.course_id = $3 and e.member_id = $4
    on conflict (project_id, enrollment_id, lesson_id) do update
      set progress_percentage = greatest(lesson_progress.progress_percentage, excluded.progress_percentage),
        last_position = excluded.last_position, updated_at = now()
    returning enrollment_id, lesson_id, progress_percentage, completed_at`,
}

interface Body {
  course_id: string
  lesson_id: string
  student_id: string
  progress_percentage: number
  last_position: number
}

export function lmsRoutes({ api, ask }: Bare): void {
  api.post<{ Body: Body }>('/lms/progress', async (request) => {
    const { course_id, lesson_id, student_id, progress_percentage, last_position } = request.body
    const { rows } = await ask(
      SAVE,
      ...[newUuid(), parseId(courseId, course_id), parseId('member', student_id)],
      ...[parseId(lessonId, lesson_id), progress_percentage, last_position],
    )
    return { data: rows[0] }
  })
}
