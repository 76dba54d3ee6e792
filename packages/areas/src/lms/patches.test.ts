import { expect, test } from 'vitest'
import { parseId, type Resource } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeCourse } from '#testkit/areas/lms.ts'
import type { Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import { withProjects } from '#testkit/with-api.ts'
import { courseId, lessonId, moduleId } from './ids.ts'

let api: TestApi
let side: Side

withProjects((opened, one) => {
  api = opened
  side = one.live
})

/** Does something while a row is locked, and lets the row go when so many statements wait for it. */
async function whileLocked<T>(table: string, id: string, waiting: number, act: () => Promise<T>): Promise<T> {
  const client = await api.owner.connect()
  try {
    await client.query('begin')
    await client.query(`select from ${table} where id = $1 for update`, [id])
    const done = act()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await expect
      .poll(async () => {
        // Another connection: within a transaction, what others wait for is seen as it was at first.
        const blocked = await api.owner.query(
          `with recursive b as (select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))
            union select a.pid from b join pg_stat_activity a on b.pid = any (pg_blocking_pids(a.pid))) select from b`,
          [rows[0]?.pid],
        )
        return blocked.rowCount
      }, SOON)
      .toBe(waiting)
    await client.query('commit')
    return await done
  } finally {
    client.release()
  }
}

test.each([
  ['course', 'courses', courseId, { title: 'New' }, { category: 'crafts' }],
  ['course', 'courses', courseId, { price: 5 }, { capacity: 7 }],
  ['module', 'course_modules', moduleId, { title: 'New' }, { description: 'Other' }],
  ['lesson', 'lessons', lessonId, { title: 'New' }, { duration_minutes: 3 }],
  ['lesson', 'lessons', lessonId, { content: '*New*' }, { required: false }],
] as const)(
  'of two PATCHes of different fields of a %s at once, both last',
  async (kind, table, type, one, two) => {
    const course = await makeCourse(side)
    const id = { course: course.id, module: course.moduleId, lesson: course.lessons[0]?.id ?? '' }[kind]
    const patch = (changes: object) =>
      side.admin.patch<{ data: object }>(`/lms/${kind}s/${id}`, changes).then(({ status }) => status)
    const stored = parseId(type as Resource, id) ?? ''
    const statuses = await whileLocked(table, stored, 2, () => Promise.all([patch(one), patch(two)]))
    expect(statuses).toEqual([200, 200])
    const { body } = await side.admin.patch<{ data: object }>(`/lms/${kind}s/${id}`, {})
    expect(body.data).toMatchObject({ ...one, ...two })
  },
)
