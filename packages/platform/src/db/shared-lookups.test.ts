import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { newUuid } from '#platform/ids.ts'
import { currentProject, insertNote, type Note, openNotes, raw } from '#testkit/areas/notes.ts'
import type { Rows } from './batch.ts'
import type { Statement, StatementGroup } from './statement.ts'
import { StatementCoalescer, type Step, toSteps } from './statement-coalescer.ts'
import { inProject } from './tenant.ts'

// Thousands of statements of many projects, in the order that a seed gives: lookups that share trips, beside writes,
// failing and cancelled statements and ended connections. Each answer is compared with the project that asked.

const SEED = 20_261_122
const PROJECTS = 60
const STATEMENTS = 10_000
/** Asked at the same time, within a few turns of the event loop. */
const WAVE = 80
const SYSTEM: Actor = { kind: 'system', reason: 'test' }

const lookup = <I extends object>(label: string, build: (v: I) => ReturnType<typeof sql<object>>) =>
  raw(label, build, {}, 'lookup')
const noteById = lookup(
  'note_by_id',
  (v: { id: string }) => sql`select id, text from notes where id = ${v.id}`,
)
const texts = lookup('texts', () => sql`select text from notes where text like '% fixed'`)
const current = { ...currentProject, group: 'lookup' as const }
const divided = lookup('divided', (v: { by: number }) => sql`select 1 / ${v.by}::int`)
const cancelled = lookup('cancelled', () => sql`select pg_cancel_backend(pg_backend_pid()), pg_sleep(60)`)
const ended = lookup('ended', () => sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(60)`)
const genericPlans = raw(
  'generic_plans',
  (v: { name: string }) =>
    sql<{
      plans: string
    }>`select generic_plans::text as plans from pg_prepared_statements where name = ${v.name}`,
  {},
  'lookup',
)
const append = raw(
  'append',
  (v: { id: string; more: string }) =>
    sql<Note>`update notes set text = text || ${v.more} where id = ${v.id} returning id, text`,
  {},
  'change',
)

interface Project {
  readonly id: string
  readonly fixed: Note
  readonly changed: Note
}

let env: Awaited<ReturnType<typeof openNotes>>
let pool: pg.Pool
let projects: Project[]

beforeAll(async () => {
  env = await openNotes()
  pool = env.pool
  projects = await Promise.all(
    Array.from({ length: PROJECTS }, async (_, n) => {
      const id = newUuid()
      const fixed = { id: newUuid(), text: `${n} fixed` }
      const changed = { id: newUuid(), text: `${n} changed` }
      await inProject(pool, id, SYSTEM, (ctx) =>
        ctx.tx.single(insertNote, fixed).and(ctx.tx.single(insertNote, changed)),
      )
      return { id, fixed, changed }
    }),
  )
})
afterAll(() => env.close())

/** Numbers in [0, 1) that follow from the seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Ask = <I extends object>(projectId: string, statement: Statement<I, unknown>, values: I) => Promise<Rows>

/** A statement to ask, and what it must answer: rows, or the code of its own error. */
interface Asked {
  readonly run: (ask: Ask) => Promise<Rows>
  readonly rows?: Rows
  readonly code?: string
}

function pick(random: () => number, marks: Map<string, Project>, serial: number): Asked {
  const any = () => projects[Math.floor(random() * PROJECTS)] as Project
  const project = any()
  const { id, fixed, changed } = project
  const dice = random()
  if (dice < 0.4) return { run: (ask) => ask(id, noteById, { id: fixed.id }), rows: [{ ...fixed }] }
  if (dice < 0.55) {
    const other = any()
    return {
      run: (ask) => ask(id, noteById, { id: other.fixed.id }),
      rows: other === project ? [{ ...fixed }] : [],
    }
  }
  if (dice < 0.7) return { run: (ask) => ask(id, texts, {}), rows: [{ text: fixed.text }] }
  if (dice < 0.85) return { run: (ask) => ask(id, current, {}), rows: [{ id }] }
  if (dice < 0.92) {
    const more = ` <${serial}>`
    marks.set(more, project)
    return { run: (ask) => ask(id, append, { id: changed.id, more }) }
  }
  if (dice < 0.97) return { run: (ask) => ask(id, divided, { by: 0 }), code: '22012' }
  if (dice < 0.995) return { run: (ask) => ask(id, cancelled, {}), code: '57014' }
  return { run: (ask) => ask(id, ended, {}), code: '57P01' }
}

/** The code of an error, or of what caused it; a lost connection has none of PostgreSQL's. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: unknown }
  if (cause !== undefined) return codeOf(cause)
  return code ?? (/Connection terminated/.test(String(error)) ? '57P01' : String(error))
}

/** Asks all statements. @returns what was answered to the wrong project, or went wrong for no reason of its own */
async function violations(
  ask: Ask,
  random: () => number,
  marks = new Map<string, Project>(),
): Promise<string[]> {
  const found: string[] = []
  const check = async ({ run, rows, code }: Asked, turns: number, serial: number) => {
    for (let n = 0; n < turns; n++) await turn()
    const answer = await run(ask).then(
      (value) => ({ value }),
      (error: unknown) => ({ code: codeOf(error) }),
    )
    if ('code' in answer) {
      // A lost connection takes those along that travel on it; no other error may reach a statement that is sound.
      if (answer.code !== code && answer.code !== '57P01') found.push(`${serial}: failed with ${answer.code}`)
    } else if (code !== undefined) found.push(`${serial}: did not fail`)
    else if (rows !== undefined && JSON.stringify(answer.value) !== JSON.stringify(rows))
      found.push(`${serial}: ${JSON.stringify(answer.value)} instead of ${JSON.stringify(rows)}`)
  }
  for (let asked = 0; asked < STATEMENTS; asked += WAVE) {
    const wave = Array.from({ length: WAVE }, (_, n) =>
      check(pick(random, marks, asked + n), Math.floor(random() * 4), asked + n),
    )
    await Promise.all(wave)
  }
  return found
}

const through: Ask = (projectId, statement, values) =>
  inProject(pool, projectId, SYSTEM, (ctx) => ctx.tx.all(statement, values)) as Promise<Rows>

test('of thousands of statements of many projects, each is answered with rows of its own project', async () => {
  const marks = new Map<string, Project>()
  const answered = new Set<string>()
  const noting: Ask = async (projectId, statement, values) => {
    const rows = await through(projectId, statement, values)
    if ('more' in values) answered.add(String(values.more))
    return rows
  }
  expect(await violations(noting, randomOf(SEED), marks)).toEqual([])

  // No write was done twice, or in another project; each that was answered was done.
  expect(marks.size).toBeGreaterThan(STATEMENTS / 50)
  for (const project of projects) {
    const [note] = await through(project.id, noteById, { id: project.changed.id })
    const parts = String(note?.text).match(/ <\d+>/g) ?? []
    expect(new Set(parts).size).toBe(parts.length)
    for (const mark of parts) expect(marks.get(mark)).toBe(project)
    for (const mark of answered) if (marks.get(mark) === project) expect(parts).toContain(mark)
  }
  // PostgreSQL kept plans over all projects, so that a plan that remembered one would have been noticed.
  const [{ plans } = { plans: 0 }] = await through(projects[0]?.id ?? '', genericPlans, {
    name: noteById.name,
  })
  expect(Number(plans)).toBeGreaterThan(0)
})

test('a batch that leaves out a single setting of a project is noticed by the test above', async () => {
  let isLeftOut = false
  const leavingOut = (batch: Parameters<typeof toSteps>[0]): Step[] => {
    const steps = toSteps(batch)
    const next = steps.findIndex(
      ({ bound }, n) => n > 1 && bound.name === current.name && !steps[n - 1]?.asked,
    )
    if (isLeftOut || next < 0) return steps
    isLeftOut = true
    return steps.toSpliced(next - 1, 1)
  }
  const coalescer = new StatementCoalescer(pool, leavingOut)
  const ask: Ask = (projectId, { name, sql, bind, group }, values) =>
    coalescer.ask({ projectId, group: group as StatementGroup }, { name, sql, values: bind(values) })
  expect(await violations(ask, randomOf(SEED))).not.toEqual([])
})
