import { sql } from 'kysely'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { areas } from '#areas/areas.ts'
import { catalogueOf } from '#platform/area.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit, emitEach } from '#platform/events/emit.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import { submissionDeleted } from '../forms/events.ts'
import { webhookTest } from '../webhooks/events.ts'
import { matchesSql, patternsOf } from './service.ts'

const nap = defineQuery('nap', (v: { seconds: number }) =>
  query.selectNoFrom(sql`pg_sleep(${v.seconds})`.as('slept')),
)

interface Page {
  data: { id: string; type: string; data: { id: string } }[]
  pagination: { has_more: boolean; next_after: string | null }
}

let api: TestApi
let side: Side
// The log of a project has what every test before has written to it.
withNewProjects((opened, _one, two) => {
  api = opened
  side = two.test
})

/** Reads on from where the reader is, to the end, in small pages. */
async function readOn(reader: { after: string | null; seen: string[] }, limit = 3): Promise<void> {
  for (let more = true; more; ) {
    const after = reader.after === null ? '' : `&after=${reader.after}`
    const { body } = await side.admin.get<Page>(`/events?limit=${limit}${after}`)
    reader.seen.push(...body.data.map(({ data }) => data.id))
    reader.after = body.pagination.next_after
    more = body.pagination.has_more
  }
}

const matches = defineQuery('pattern_matches', (v: { patterns: string[]; types: string[] }) =>
  query.selectNoFrom(
    sql<string[]>`array(
      select p || ' ' || t from unnest(${v.patterns}::text[]) as p, unnest(${v.types}::text[]) as t
      where ${sql.raw(matchesSql('array[p]', 't'))} order by 1)`.as('pairs'),
  ),
).single()

test('PostgreSQL and the API mean the same events by a pattern', async () => {
  const known = [...catalogueOf(areas).events.keys()]
  // Nearly names and groups, and names that one day may be.
  const types = [...known, 'form', 'form_', 'forms.created', 'form.a_b.c', 'a_b_c.d.e', 'a.b_c.d', 'x']
  const patterns = [...new Set([...types.flatMap(patternsOf), 'a.b.*', 'form_.*', '.*', '', 'a_b', 'form*'])]
  const { pairs } = await side.write(matches({ patterns, types }))
  const expected = types.flatMap((type) =>
    patterns.filter((pattern) => patternsOf(type).includes(pattern)).map((pattern) => `${pattern} ${type}`),
  )
  expect(new Set(pairs)).toEqual(new Set(expected))
  expect(pairs.length).toBeGreaterThan(3 * known.length)
})

test('events of one transaction are all written, in their order, each of its own type, or none is', async () => {
  const own = (await makeProjects(api))[0].test
  const message = 'a "quoted", {braced} \\ text, and \u00fc'
  const several = (ctx: Context) => {
    emit(ctx, webhookTest, { id: 'whe_first', message })
    emitEach(ctx, submissionDeleted, [submissionDeleted.example, submissionDeleted.example])
    emit(ctx, webhookTest, { id: 'whe_last', message: '' })
  }
  await expect(
    own.write((ctx) => {
      several(ctx)
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  await own.write((ctx) => several(ctx))
  const [test_, deleted] = [webhookTest.name, submissionDeleted.name]
  await vi.waitFor(async () => {
    const { body } = await own.admin.get<Page>('/events')
    // A new project has an event of its own already.
    const both = body.data.filter(({ type }) => type === test_ || type === deleted)
    const seen = both.map(({ type, data }) => [type, type === test_ ? data : undefined])
    expect(seen).toEqual([
      [test_, { id: 'whe_first', message }],
      [deleted, undefined],
      [deleted, undefined],
      [test_, { id: 'whe_last', message: '' }],
    ])
  }, SOON)
})

test('whoever reads on while events are committed in any order sees each exactly once', async () => {
  const reader = { after: null as string | null, seen: [] as string[] }
  const emitted: string[] = []
  const one = async (i: number) => {
    const id = `whe_${i}`
    emitted.push(id)
    await side.write(async (ctx) => {
      emit(ctx, webhookTest, { id, message: '' })
      // Commits long after its id was made, and after others that began later.
      await nap(ctx, { seconds: Math.random() * 0.1 })
    })
  }
  let writing = true
  const writers = Promise.all(
    Array.from({ length: 6 }, async (_, w) => {
      for (let i = 0; i < 15; i++) await one(w * 100 + i)
    }),
  ).finally(() => {
    writing = false
  })
  while (writing) await readOn(reader)
  await writers
  await vi.waitFor(async () => {
    await readOn(reader)
    expect(reader.seen.filter((id) => emitted.includes(id)).sort()).toEqual([...emitted].sort())
  }, SOON)
})

test('an event does not show up while an older write may still come before it', async () => {
  const log = async () =>
    (await side.admin.get<Page>('/events?type=member.created')).body.data.map(({ data }) => data.id)
  const first = await side.makeMember()
  // Any write on this server, of other tests too, may hold up the log for a moment.
  await vi.waitFor(async () => expect(await log()).toEqual([first.id]), SOON)
  const slow = new pg.Client({ connectionString: api.database.url })
  await slow.connect()
  await slow.query('begin')
  await slow.query('create temporary table writes_something (x int)')
  const second = await side.makeMember()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await log()).toEqual([first.id])
  await slow.query('rollback')
  await slow.end()
  await vi.waitFor(async () => expect(await log()).toEqual([first.id, second.id]), SOON)
})

test('it can be asked for one type, and goes on from where it is when there is nothing new', async () => {
  await side.makePlan()
  await vi.waitFor(async () => {
    const { body } = await side.admin.get<Page>('/events?type=plan.created')
    expect(body.data.map(({ type }) => type)).toEqual(['plan.created'])
    const last = body.data[0]?.id
    const { body: end } = await side.admin.get<Page>(`/events?after=${last}&type=plan.created`)
    expect(end.data).toEqual([])
    expect(end.pagination).toMatchObject({ has_more: false, next_after: last })
  }, SOON)
})

test('a type that no event has is refused, and a group has all that belongs to it', async () => {
  for (const path of ['/events?type=member.creatd', '/events?type=submission.*']) {
    const answer = await side.admin.get<{ error: string }>(path)
    expect(refusalOf(answer)).toBe('400 INVALID_PARAMETERS')
    expect(answer.body.error).toContain('matches no event type; see GET /api/v1/webhooks/event-types')
  }
  const gone = { id: 'sub_01jcq3k8f7e8qtk4m3hbw7rn2m', form_id: 'form_01jcq3k8f7e8qtk4m3hbw7rn2m' }
  await side.write((ctx) => emit(ctx, submissionDeleted, gone))
  await vi.waitFor(async () => {
    const { body } = await side.admin.get<Page>('/events?type=form.*')
    expect(body.data.map(({ type }) => type)).toEqual(['form_submission.deleted'])
  }, SOON)
})
