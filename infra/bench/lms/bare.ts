/** What progress is measured against: a bare Fastify handler with a `pg` pool. No keys, limits, isolation or rules. */
import Fastify from 'fastify'
import pg from 'pg'
import { courseId } from '#areas/entitlements/ids.ts'
import { lessonId } from '#areas/lms/ids.ts'
import { newUuid, parseId } from '#platform/ids.ts'

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT, PROJECT_ID } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE) })

const SAVE = {
  name: 'save',
  text: `insert into lesson_progress (project_id, id, enrollment_id, member_id, lesson_id, progress_percentage, last_position)
    select $1, $2, e.id, e.member_id, $5, $6, $7 from enrollments e
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

const api = Fastify()
api.post<{ Body: Body }>('/progress', async (request) => {
  const { course_id, lesson_id, student_id, progress_percentage, last_position } = request.body
  const values = [
    ...[PROJECT_ID, newUuid(), parseId(courseId, course_id), parseId('member', student_id)],
    ...[parseId(lessonId, lesson_id), progress_percentage, last_position],
  ]
  const { rows } = await pool.query({ ...SAVE, values })
  return { data: rows[0] }
})

await api.listen({ host: HOST ?? '', port: Number(PORT) })
process.once('SIGTERM', () => process.exit())
