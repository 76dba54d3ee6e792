import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { newUuid } from '#platform/ids.ts'
import {
  appendToNote,
  currentProject,
  insertNote,
  type Note,
  noteById,
  openNotes,
  raw,
  replaceText,
} from '#testkit/areas/notes.ts'
import { type Dice, rollDice } from '#testkit/dice.ts'
import type { Rows } from './batch.ts'
import { SharedBatches, toSteps } from './shared-batches.ts'
import type { Statement, StatementGroup } from './statement.ts'
import { inProject } from './tenant.ts'

// Thousands of statements of many projects, in the order that a seed gives: lookups and writes that share trips, failing
// and cancelled ones and ended connections. Each answer is compared with the project that asked.

const SEED = 20_261_122
const PROJECTS = 60
const STATEMENTS = 10_000
/** Asked at the same time, within a few turns of the event loop. */
const WAVE = 80
/** Projects whose writes fail. Afterwards they travel alone for a while, so these are few. */
const FAILING = 6
const SYSTEM: Actor = { kind: 'system', reason: 'test' }

const lookup = <I extends object>(label: string, build: (v: I) => ReturnType<typeof sql<object>>) =>
  raw(label, build, {}, 'lookup')
const texts = lookup('texts', () => sql`select text from notes where text like '% fixed'`)
const current = { ...currentProject, group: 'lookup' as const }
const divided = lookup('divided', (v: { by: number }) => sql`select 1 / ${v.by}::int`)
const cancelled = lookup('cancelled', () => sql`select pg_cancel_backend(pg_backend_pid()), pg_sleep(60)`)
const ended = lookup('ended', () => sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(60)`)
const cancelledWrite = { ...cancelled, group: 'change' as const }
const endedWrite = { ...ended, group: 'change' as const }
const add = { ...insertNote, group: 'insert' as const }
const added = raw('added', () => sql<Note>`select text from notes where text like '% added'`)
const genericPlans = raw(
  'generic_plans',
  (v: { name: string }) =>
    sql<{
      plans: string
    }>`select generic_plans::text as plans from pg_prepared_statements where name = ${v.name}`,
  {},
  'lookup',
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

type Ask = <I extends object>(projectId: string, statement: Statement<I, unknown>, values: I) => Promise<Rows>

/** A statement to ask, and what it must answer: rows, or the code of its own error. */
interface Asked {
  readonly run: (ask: Ask) => Promise<Rows>
  readonly rows?: Rows
  /** Or the id of the one row. */
  readonly rowOf?: string
  readonly code?: string
}

/** What the writes left, by project. */
interface Written {
  /** What was appended. */
  readonly marks: Map<string, Project>
  /** Texts of new notes. */
  readonly added: Map<string, Project>
}

function pick(dice: Dice, written: Written, serial: number): Asked {
  const any = (among = PROJECTS) => projects[dice.upTo(among)] as Project
  const project = any()
  const { id, fixed, changed } = project
  const thousandth = dice.upTo(1_000)
  if (thousandth < 300) return { run: (ask) => ask(id, noteById, { id: fixed.id }), rows: [{ ...fixed }] }
  if (thousandth < 400) {
    const other = any()
    return {
      run: (ask) => ask(id, noteById, { id: other.fixed.id }),
      rows: other === project ? [{ ...fixed }] : [],
    }
  }
  if (thousandth < 500) return { run: (ask) => ask(id, texts, {}), rows: [{ text: fixed.text }] }
  if (thousandth < 600) return { run: (ask) => ask(id, current, {}), rows: [{ id }] }
  if (thousandth < 800) {
    const more = ` <${serial}>`
    written.marks.set(more, project)
    return { run: (ask) => ask(id, appendToNote, { id: changed.id, more }), rowOf: changed.id }
  }
  if (thousandth < 850) {
    const other = projects[(projects.indexOf(project) + 1) % PROJECTS] as Project
    return { run: (ask) => ask(id, appendToNote, { id: other.changed.id, more: ' wrong' }), rows: [] }
  }
  if (thousandth < 900) {
    const note = { id: newUuid(), text: `${serial} added` }
    written.added.set(note.text, project)
    return { run: (ask) => ask(id, add, note), rows: [{ ...note }] }
  }
  const failing = any(FAILING)
  if (thousandth < 920) {
    const values = { id: failing.changed.id, text: failing.fixed.text }
    return { run: (ask) => ask(failing.id, replaceText, values), code: '23505' }
  }
  if (thousandth < 930) return { run: (ask) => ask(failing.id, cancelledWrite, {}), code: '57014' }
  if (thousandth < 932) return { run: (ask) => ask(failing.id, endedWrite, {}), code: '57P01' }
  if (thousandth < 970) return { run: (ask) => ask(id, divided, { by: 0 }), code: '22012' }
  if (thousandth < 995) return { run: (ask) => ask(id, cancelled, {}), code: '57014' }
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
  dice: Dice,
  written: Written = { marks: new Map(), added: new Map() },
): Promise<string[]> {
  const found: string[] = []
  const check = async ({ run, rows, rowOf, code }: Asked, turns: number, serial: number) => {
    for (let n = 0; n < turns; n++) await turn()
    const answer = await run(ask).then(
      (value) => ({ value }),
      (error: unknown) => ({ code: codeOf(error) }),
    )
    if ('code' in answer) {
      // A lost connection takes those along that travel on it; no other error may reach a statement that is sound.
      if (answer.code !== code && answer.code !== '57P01') found.push(`${serial}: failed with ${answer.code}`)
    } else if (code !== undefined) found.push(`${serial}: did not fail`)
    else if (rowOf !== undefined && (answer.value.length !== 1 || answer.value[0]?.id !== rowOf))
      found.push(`${serial}: ${JSON.stringify(answer.value)} instead of the row ${rowOf}`)
    else if (rows !== undefined && JSON.stringify(answer.value) !== JSON.stringify(rows))
      found.push(`${serial}: ${JSON.stringify(answer.value)} instead of ${JSON.stringify(rows)}`)
  }
  for (let asked = 0; asked < STATEMENTS; asked += WAVE) {
    const wave = Array.from({ length: WAVE }, (_, n) =>
      check(pick(dice, written, asked + n), dice.upTo(4), asked + n),
    )
    await Promise.all(wave)
  }
  return found
}

const through: Ask = (projectId, statement, values) =>
  inProject(pool, projectId, SYSTEM, (ctx) => ctx.tx.all(statement, values)) as Promise<Rows>

test('of thousands of statements of many projects, each is answered with rows of its own project', async () => {
  const written: Written = { marks: new Map(), added: new Map() }
  const answered = new Set<string>()
  const noting: Ask = async (projectId, statement, values) => {
    const rows = await through(projectId, statement, values)
    if ('more' in values) answered.add(String(values.more))
    if (statement === add) answered.add(String((values as { text?: string }).text))
    return rows
  }
  expect(await violations(noting, rollDice(SEED), written)).toEqual([])

  // No write was done twice, or in another project; each that was answered was done.
  expect(written.marks.size).toBeGreaterThan(STATEMENTS / 6)
  for (const project of projects) {
    const [note] = await through(project.id, noteById, { id: project.changed.id })
    const marks = String(note?.text).match(/ <\d+>/g) ?? []
    const notes = (await through(project.id, added, {})).map(({ text }) => String(text))
    expectOwn(project, marks, written.marks, answered)
    expectOwn(project, notes, written.added, answered)
    expect(note?.text).not.toContain('wrong')
  }
  // PostgreSQL kept plans over all projects, so that a plan that remembered one would have been noticed.
  const [{ plans } = { plans: 0 }] = await through(projects[0]?.id ?? '', genericPlans, {
    name: noteById.name,
  })
  expect(Number(plans)).toBeGreaterThan(0)
})

/** What is found in a project was written to it, once, and whatever was answered is found. */
function expectOwn(
  project: Project,
  found: string[],
  written: Map<string, Project>,
  answered: Set<string>,
): void {
  expect(new Set(found).size).toBe(found.length)
  for (const each of found) expect(written.get(each)).toBe(project)
  for (const [each, owner] of written)
    if (owner === project && answered.has(each)) expect(found).toContain(each)
}

test.each([
  ['lookups', current],
  ['changes', appendToNote],
])(
  'a batch of %s that leaves out a single setting of a project is noticed by the test above',
  async (_, first) => {
    let isLeftOut = false
    const leavingOut: typeof toSteps = (batch, liveSides) => {
      const steps = toSteps(batch, liveSides)
      const next = steps.findIndex(
        ({ bound }, n) => n > 1 && bound.name === first.name && !steps[n - 1]?.asked,
      )
      if (isLeftOut || next < 0) return steps
      isLeftOut = true
      return steps.toSpliced(next - 1, 1)
    }
    const batches = new SharedBatches(pool, leavingOut)
    const ask: Ask = (projectId, { name, sql, bind, group }, values) =>
      batches.ask({ projectId, group: group as StatementGroup }, { name, sql, values: bind(values) })
    expect(await violations(ask, rollDice(SEED))).not.toEqual([])
  },
)
