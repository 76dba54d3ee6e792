/** What progress is measured against: a bare Fastify handler with a `pg` pool. No keys, limits, isolation or rules. */
import Fastify from 'fastify'
import pg from 'pg'
import { courseId, lessonId } from '#areas/lms/ids.ts'
import { readConfig } from '#platform/config.ts'
import { newUuid, parseId } from '#platform/ids.ts'

const config = await readConfig()
const pool = new pg.Pool({ connectionString: config.DATABASE_URL, max: config.DATABASE_POOL_SIZE })
/** The only project with a course. */
const { rows: found } = await pool.query('select project_id from courses limit 1')

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

const api = Fastify()
api.post<{ Body: Body }>('/progress', async (request) => {
  const { course_id, lesson_id, student_id, progress_percentage, last_position } = request.body
  const values = [
    ...[found[0].project_id, newUuid(), parseId(courseId, course_id), parseId('member', student_id)],
    ...[parseId(lessonId, lesson_id), progress_percentage, last_position],
  ]
  const { rows } = await pool.query({ ...SAVE, values })
  return { data: rows[0] }
})

await api.listen({ host: config.HOST, port: config.PORT })
process.once('SIGTERM', () => process.exit())
