import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { expect, test } from 'vitest'
import type { Actor } from '#platform/actor.ts'
import { newUuid } from '#platform/ids.ts'
import { type Dice, rollDice } from '#platform/values/dice.ts'
import {
  addNote,
  appendToNote,
  currentProject,
  insertNote,
  type Note,
  noteById,
  replaceText,
  withNotes,
} from '#testkit/areas/notes.ts'
import type { Rows } from './batch.ts'
import { defineLookup, defineQuery } from './query.ts'
import { SharedBatches, toSteps } from './shared-batches.ts'
import type { Ask, AskedStatement, StatementGroup } from './statement.ts'
import { dataOf } from './tenant.ts'

// Thousands of statements of many projects, in the order that a seed gives: lookups and writes that share round trips, failing
// and cancelled ones and ended connections. Each answer is compared with the project that asked.

const SEED = 20_261_122
const PROJECTS = 60
const STATEMENTS = 10_000
/** Asked at the same time, within a few turns of the event loop. */
const WAVE = 80
/** Projects whose writes fail. Afterwards they travel alone for a while, so these are few. */
const FAILING = 6
const SYSTEM: Actor = { kind: 'system', reason: 'test' }

const texts = defineLookup('texts', () => sql`select text from notes where text like '% fixed'`)
const divided = defineLookup('divided', (v: { by: number }) => sql`select 1 / ${v.by}::int`)
const cancel = () => sql`select pg_cancel_backend(pg_backend_pid()), pg_sleep(60)`
const end = () => sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(60)`
const cancelled = defineLookup('cancelled', cancel)
const ended = defineLookup('ended', end)
const cancelledWrite = defineQuery('cancelled_write', cancel, {}, { group: 'change' })
const endedWrite = defineQuery('ended_write', end, {}, { group: 'change' })
const listAdded = defineLookup('added', () => sql<Note>`select text from notes where text like '% added'`)
const genericPlans = defineLookup(
  'generic_plans',
  (v: { name: string }) =>
    sql<{
      plans: string
    }>`select generic_plans::text as plans from pg_prepared_statements where name = ${v.name}`,
)
const partOf = (ask: Ask<unknown>) => ask.statements[0] as AskedStatement
const nameOf = (ask: Ask<unknown>) => partOf(ask).bound.name

interface Project {
  readonly id: string
  readonly fixed: Note
  readonly changed: Note
}

let pool: pg.Pool
let projects: Project[]

withNotes(async (env) => {
  pool = env.pool
  projects = await Promise.all(
    Array.from({ length: PROJECTS }, async (_, n) => {
      const id = newUuid()
      const fixed = { id: newUuid(), text: `${n} fixed` }
      const changed = { id: newUuid(), text: `${n} changed` }
      await dataOf(pool, id, SYSTEM).write((ctx) => {
        insertNote(ctx, fixed)
        insertNote(ctx, changed)
      })
      return { id, fixed, changed }
    }),
  )
})

type Through = (projectId: string, ask: Ask<unknown>) => Promise<Rows>

/** A statement to ask, and what it must answer: rows, or the code of its own error. */
interface Asked {
  readonly projectId: string
  readonly ask: Ask<unknown>
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
  if (thousandth < 300) return { projectId: id, ask: noteById({ id: fixed.id }), rows: [{ ...fixed }] }
  if (thousandth < 400) {
    const other = any()
    return {
      projectId: id,
      ask: noteById({ id: other.fixed.id }),
      rows: other === project ? [{ ...fixed }] : [],
    }
  }
  if (thousandth < 500) return { projectId: id, ask: texts(), rows: [{ text: fixed.text }] }
  if (thousandth < 600) return { projectId: id, ask: currentProject(), rows: [{ id }] }
  if (thousandth < 800) {
    const more = ` <${serial}>`
    written.marks.set(more, project)
    return { projectId: id, ask: appendToNote({ id: changed.id, more }), rowOf: changed.id }
  }
  if (thousandth < 850) {
    const other = projects[(projects.indexOf(project) + 1) % PROJECTS] as Project
    return { projectId: id, ask: appendToNote({ id: other.changed.id, more: ' wrong' }), rows: [] }
  }
  if (thousandth < 900) {
    const note = { id: newUuid(), text: `${serial} added` }
    written.added.set(note.text, project)
    return { projectId: id, ask: addNote(note), rows: [{ ...note }] }
  }
  const failing = any(FAILING)
  if (thousandth < 920) {
    const values = { id: failing.changed.id, text: failing.fixed.text }
    return { projectId: failing.id, ask: replaceText(values), code: '23505' }
  }
  if (thousandth < 930) return { projectId: failing.id, ask: cancelledWrite(), code: '57014' }
  if (thousandth < 932) return { projectId: failing.id, ask: endedWrite(), code: '57P01' }
  if (thousandth < 970) return { projectId: id, ask: divided({ by: 0 }), code: '22012' }
  if (thousandth < 995) return { projectId: id, ask: cancelled(), code: '57014' }
  return { projectId: id, ask: ended(), code: '57P01' }
}

/** The code of an error, or of what caused it; a lost connection has none of PostgreSQL's. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: unknown }
  if (cause !== undefined) return codeOf(cause)
  return code ?? (/Connection terminated/.test(String(error)) ? '57P01' : String(error))
}

/** Asks all statements. @returns what was answered to the wrong project, or went wrong for no reason of its own */
async function violations(
  through: Through,
  dice: Dice,
  written: Written = { marks: new Map(), added: new Map() },
): Promise<string[]> {
  const found: string[] = []
  const check = async ({ projectId, ask, rows, rowOf, code }: Asked, turns: number, serial: number) => {
    for (let n = 0; n < turns; n++) await turn()
    const answer = await through(projectId, ask).then(
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

const throughVerbs: Through = async (projectId, ask) => {
  const data = dataOf(pool, projectId, SYSTEM)
  // All rows, also of an insert, which answers its one row.
  const asked: Ask<unknown> = { ...ask, toAnswer: ([rows]) => rows }
  const rows =
    partOf(ask).statement.group === 'lookup' ? (await data.read({ asked })).asked : await data.write(asked)
  return rows as Rows
}

test('of thousands of statements of many projects, each is answered with rows of its own project', async () => {
  const written: Written = { marks: new Map(), added: new Map() }
  const answered = new Set<string>()
  const noting: Through = async (projectId, ask) => {
    const rows = await throughVerbs(projectId, ask)
    for (const value of partOf(ask).bound.values) answered.add(String(value))
    return rows
  }
  expect(await violations(noting, rollDice(SEED), written)).toEqual([])

  // No write was done twice, or in another project; each that was answered was done.
  expect(written.marks.size).toBeGreaterThan(STATEMENTS / 6)
  for (const project of projects) {
    const [note] = await throughVerbs(project.id, noteById({ id: project.changed.id }))
    const marks = String(note?.text).match(/ <\d+>/g) ?? []
    const notes = (await throughVerbs(project.id, listAdded())).map(({ text }) => String(text))
    expectOwn(project, marks, written.marks, answered)
    expectOwn(project, notes, written.added, answered)
    expect(note?.text).not.toContain('wrong')
  }
  // PostgreSQL kept plans over all projects, so that a plan that remembered one would have been noticed.
  const [{ plans } = { plans: 0 }] = await throughVerbs(
    projects[0]?.id ?? '',
    genericPlans({ name: nameOf(noteById({ id: newUuid() })) }),
  )
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
  ['lookups', currentProject()],
  ['changes', appendToNote({ id: newUuid(), more: '' })],
])(
  'a batch of %s that leaves out a single setting of a project is noticed by the test above',
  async (_, first) => {
    let isLeftOut = false
    const leavingOut: typeof toSteps = (batch, pool) => {
      const steps = toSteps(batch, pool)
      const next = steps.findIndex(
        ({ bound }, n) => n > 1 && bound.name === nameOf(first) && !steps[n - 1]?.asked,
      )
      if (isLeftOut || next < 0) return steps
      isLeftOut = true
      return steps.toSpliced(next - 1, 1)
    }
    const batches = new SharedBatches(pool, leavingOut)
    const through: Through = (projectId, ask) => {
      const { statement, bound } = partOf(ask)
      return batches.ask({ projectId, group: statement.group as StatementGroup, bound })
    }
    expect(await violations(through, rollDice(SEED))).not.toEqual([])
  },
)
