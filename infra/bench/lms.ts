/** `npm run bench -- lms`: progress as lessons are watched, and the page of a course with two hundred lessons. */
import { toId } from '#platform/ids.ts'
import { compare } from './compare.ts'
import { loadMembers, makeTenant } from './data.ts'
import type { Rig } from './rig.ts'
import {
  type BenchOptions,
  onStage,
  type Post,
  poster,
  type Stage,
  serveApi,
  serveBare,
  vacuumAndCheckpoint,
} from './stage.ts'

const FULL = { members: 20_000, rounds: 3, seconds: 3 }
const QUICK = { members: 1_000, rounds: 2, seconds: 1 }
const MODULES = 10
const LESSONS_OF_MODULE = 20
const CLIENTS = 64

interface Course {
  readonly id: string
  readonly lessons: readonly string[]
}

/** Runs the bench and prints its tables. */
export const benchLms = (rig: Rig, { quick, rows }: BenchOptions): Promise<void> =>
  onStage(rig, async (stage) => {
    const plan = { ...(quick ? QUICK : FULL), ...(rows !== undefined && { members: rows }) }
    const tenant = await makeTenant(rig, ['read:learning', 'write:learning'])
    const server = await serveApi(rig)
    const course = await makeCourse(poster(server.origin, tenant))
    await loadMembers(stage.owner, [tenant], plan.members)
    const students = await enrollAll(stage)
    await vacuumAndCheckpoint(stage)
    // Students watch different lessons, each far from done.
    const body = students.map((student_id, i) =>
      JSON.stringify({
        ...{ course_id: course.id, lesson_id: course.lessons[i % course.lessons.length], student_id },
        ...{ progress_percentage: 40, last_position: 12.5 },
      }),
    )
    const posts = (path: string) =>
      ({ method: 'POST', paths: [path], body, authorizations: [tenant.authorization] }) as const
    const bare = await serveBare(stage, 'lms', tenant)
    await compare(
      stage,
      [
        {
          name: `Progress in one of ${course.lessons.length} lessons`,
          connections: CLIENTS,
          asked: [
            { name: 'bare', server: bare, load: posts('/progress') },
            { name: 'ours', server, load: posts('/api/v1/lms/progress'), goal: 0.6 },
          ],
        },
      ],
      plan,
    )
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
