/** `npm run bench -- lms`: progress as lessons are watched, and the page of a course with two hundred lessons. */
import pg from 'pg'
import { toId } from '#platform/ids.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { loadMembers, makeTenant, type Tenant } from '../http/data.ts'
import { API, apiEnvironment } from '../http/variants.ts'
import { type Generator, type Load, startGenerator } from '../load.ts'
import type { BenchOptions } from '../options.ts'
import type { Rig, Server } from '../rig.ts'
import { printTable } from '../table.ts'
import { script } from './bare-script.ts'

const FULL = { members: 20_000, seconds: 10 }
const QUICK = { members: 1_000, seconds: 3 }
const MODULES = 10
const LESSONS_OF_MODULE = 20
const CLIENTS = 64
const GOAL = 0.6

const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED')

/** Runs the bench and prints its table. */
export async function benchLms(rig: Rig, { quick, rows }: BenchOptions): Promise<void> {
  const { members, seconds } = { ...(quick ? QUICK : FULL), ...(rows !== undefined && { members: rows }) }
  await migrate({ databaseUrl: rig.postgres.url, secretKey: rig.secretKey })
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  const generator = startGenerator()
  try {
    const tenant = await makeTenant(rig, ['read:learning', 'write:learning'])
    const api = await rig.serve({ name: 'api', script: API, environment: apiEnvironment(rig) })
    const course = await makeCourse(api, tenant)
    await loadMembers(owner, [tenant], members)
    const students = await enrollAll(owner, course)
    await owner.query('vacuum (analyze)')
    const bare = await rig.serve({ name: 'bare', script, environment: apiEnvironment(rig) })
    await measure({ api, bare, generator, tenant, course, students, seconds })
  } finally {
    await generator.stop()
    await owner.end()
  }
}

interface Course {
  readonly id: string
  readonly lessons: readonly string[]
}

async function makeCourse({ origin }: Server, { authorization }: Tenant): Promise<Course> {
  const post = async (path: string, body: object): Promise<string> => {
    const answer = await fetch(`${origin}/api/v1/lms/${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: { id: string } }).data.id
  }
  const id = await post('courses', { title: 'Two hundred lessons' })
  const lessons: string[] = []
  for (let m = 0; m < MODULES; m++) {
    const module = await post(`courses/${id}/modules`, { title: `Module ${m}` })
    for (let l = 0; l < LESSONS_OF_MODULE; l++)
      lessons.push(await post(`modules/${module}/lessons`, { title: `Lesson ${l}`, type: 'video' }))
  }
  await post(`courses/${id}/publish`, {})
  return { id, lessons }
}

/** Enrolls every member who is active. @returns some of them, as the API shows them */
async function enrollAll(owner: pg.Client, course: Course): Promise<string[]> {
  await owner.query(
    `insert into enrollments (id, course_id, member_id, source, enrolled_at, updated_at)
     select gen_random_uuid(), c.id, m.id, 'key', now(), now() from courses c, members m
     where c.title = 'Two hundred lessons' and m.status = 'active'`,
  )
  const { rows } = await owner.query<{ id: string }>(
    `select id from members where status = 'active' order by random() limit 1000`,
  )
  if (course.lessons.length === 0) throw new Error('the course has no lessons')
  return rows.map(({ id }) => toId('member', id))
}

interface Measured {
  readonly api: Server
  readonly bare: Server
  readonly generator: Generator
  readonly tenant: Tenant
  readonly course: Course
  readonly students: readonly string[]
  readonly seconds: number
}

async function measure({ api, bare, generator, tenant, course, students, seconds }: Measured): Promise<void> {
  const run = async (load: Omit<Load, 'seconds' | 'connections' | 'authorizations'>) => {
    const whole = { ...load, connections: CLIENTS, authorizations: [tenant.authorization] }
    await generator.run({ ...whole, seconds: 1 })
    const outcome = await generator.run({ ...whole, seconds })
    if (outcome.errors > 0) throw new Error(`${load.paths[0]}: ${outcome.firstError}`)
    return outcome
  }
  // Students watch different lessons, each far from done.
  const body = students.map((student_id, i) =>
    JSON.stringify({
      course_id: course.id,
      lesson_id: course.lessons[i % course.lessons.length],
      student_id,
      progress_percentage: 40,
      last_position: 12.5,
    }),
  )
  const posts = async (origin: string, path: string) =>
    (await run({ origin, method: 'POST', paths: [path], body })).requestsPerSecond
  const bareRate = await posts(bare.origin, '/progress')
  const rate = await posts(api.origin, '/api/v1/lms/progress')
  const page = await run({ origin: api.origin, method: 'GET', paths: [`/api/v1/lms/courses/${course.id}`] })
  const perSecond = (value: number) => Math.round(value).toLocaleString('en')
  printTable(
    `${CLIENTS} clients, ${course.lessons.length} lessons`,
    ['', 'requests/s', 'of bare', 'goal', ''],
    [
      ['progress, bare', perSecond(bareRate), '1.00'],
      [
        'progress',
        perSecond(rate),
        (rate / bareRate).toFixed(2),
        `≥ ${GOAL.toFixed(2)}`,
        verdict(rate / bareRate >= GOAL),
      ],
      [
        `course page, p50 ${page.p50.toFixed(1)} ms, p99 ${page.p99.toFixed(1)} ms`,
        perSecond(page.requestsPerSecond),
      ],
    ],
  )
}
