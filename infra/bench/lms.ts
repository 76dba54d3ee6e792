/** `npm run bench -- lms`: progress as lessons are watched, and the page of a course with two hundred lessons. */
import { toId } from '#platform/ids.ts'
import { benchOf } from './cases.ts'
import { loadMembers, makeTenant } from './data.ts'
import { againstBare } from './pairs.ts'
import { type Post, poster, type Stage, serveApi, vacuumAndCheckpoint } from './stage.ts'

const MODULES = 10
const LESSONS_OF_MODULE = 20

interface Course {
  readonly id: string
  readonly lessons: readonly string[]
}

export const benchLms = benchOf({
  // Of members.
  full: { rows: 20_000, rounds: 3, seconds: 3 },
  quick: { rows: 1_000, rounds: 2, seconds: 1 },
  async setUp(stage, { rows }) {
    const tenant = await makeTenant(stage.rig, ['read:learning', 'write:learning'])
    const server = await serveApi(stage.rig)
    const course = await makeCourse(poster(server.origin, tenant))
    await loadMembers(stage.owner, [tenant], rows)
    const students = await enrollAll(stage)
    await vacuumAndCheckpoint(stage)
    // Students watch different lessons, each far from done.
    const body = students.map((student_id, i) =>
      JSON.stringify({
        ...{ course_id: course.id, lesson_id: course.lessons[i % course.lessons.length], student_id },
        ...{ progress_percentage: 40, last_position: 12.5 },
      }),
    )
    return againstBare(stage, { routes: 'lms', tenant, server }, [
      {
        ...{ name: `Progress in one of ${course.lessons.length} lessons`, connections: 64, goal: 0.6 },
        load: (prefix) => ({ method: 'POST', paths: [`${prefix}/lms/progress`], body }),
      },
    ])
  },
})

async function makeCourse(post: Post): Promise<Course> {
  const make = async (path: string, body: object) =>
    (await post<{ data: { id: string } }>(`/lms/${path}`, body)).data.id
  const id = await make('courses', { title: 'Two hundred lessons' })
  const lessons: string[] = []
  for (let m = 0; m < MODULES; m++) {
    const module = await make(`courses/${id}/modules`, { title: `Module ${m}` })
    for (let l = 0; l < LESSONS_OF_MODULE; l++)
      lessons.push(await make(`modules/${module}/lessons`, { title: `Lesson ${l}`, type: 'video' }))
  }
  await make(`courses/${id}/publish`, {})
  return { id, lessons }
}

/** Enrolls every member who is active. @returns some of them, as the API shows them */
async function enrollAll({ owner }: Stage): Promise<string[]> {
  await owner.query(
    `insert into enrollments (id, course_id, member_id, source, enrolled_at, updated_at)
     select gen_random_uuid(), c.id, m.id, 'key', now(), now() from courses c, members m
     where c.title = 'Two hundred lessons' and m.status = 'active'`,
  )
  const { rows } = await owner.query<{ id: string }>(
    `select id from members where status = 'active' order by random() limit 1000`,
  )
  return rows.map(({ id }) => toId('member', id))
}
