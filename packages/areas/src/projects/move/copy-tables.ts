import { insertLines, readLines, type Shape } from '../transfer/tables.ts'
import { CopyFault } from './files.ts'
import { asReplica } from './installation.ts'
import type { Move } from './move.ts'

/** Tables that are copied at the same time. */
const AT_ONCE = 3
/** Lines of one statement, in number and in characters. */
const BATCH = { lines: 1_000, characters: 4_000_000 }

/**
 * Copies all rows of both sides while nothing writes them, as an export and import does: lines of JSON. Triggers and references rest
 * there, so that the order of the tables does not matter and counters copy themselves. Nothing of the project is there before.
 * @param assertHeld throws once writes are no longer held
 * @returns rows
 * @throws CopyFault where another row there has the same id or hash
 */
export async function copyTables(move: Move, assertHeld: () => void): Promise<number> {
  let rows = await copyProjects(move)
  const waiting = [...move.shapes]
  const work = async () => {
    for (let shape = waiting.shift(); shape !== undefined; shape = waiting.shift())
      rows += await copyTable(move, shape, assertHeld)
  }
  const outcomes = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, () =>
      work().catch((error) => {
        waiting.length = 0
        throw error
      }),
    ),
  )
  // Only now does nothing write there any more.
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return rows
}

/** The rows of the two sides themselves. */
async function copyProjects({ source, target, sides }: Move): Promise<number> {
  const { rows } = await source.owner.query<{ line: string }>(
    'select row_to_json(p)::text as line from projects p where id = any ($1)',
    [sides],
  )
  await asReplica(target.owner, async (client) => {
    for (const { line } of rows) {
      const columns = Object.keys(JSON.parse(line)).map((name) => `"${name.replaceAll('"', '""')}"`)
      await client.query(
        `insert into projects (${columns.join(', ')}) select ${columns.map((name) => `p.${name}`).join(', ')}
         from json_populate_record(null::projects, $1::json) as p`,
        [line],
      )
    }
  })
  return rows.length
}

async function copyTable(
  { source, target, sides }: Move,
  shape: Shape,
  assertHeld: () => void,
): Promise<number> {
  const reader = await source.owner.connect()
  let rows = 0
  try {
    await reader.query('begin read only')
    await asReplica(target.owner, async (writer) => {
      for (const side of sides) {
        const insert = insertLines(shape, side, shape.name, true)
        for await (const lines of batchesOf(readLines(reader, shape, side))) {
          assertHeld()
          await writer.query(insert, [lines])
          rows += lines.length
        }
      }
    })
  } catch (error) {
    const { code, detail } = error as { code?: string; detail?: string }
    if (code !== '23505') throw error
    throw new CopyFault(`the other installation has a row of ${shape.name} already: ${detail ?? ''}`)
  } finally {
    const isSound = await reader.query('rollback').then(
      () => true,
      () => false,
    )
    reader.release(!isSound)
  }
  return rows
}

async function* batchesOf(all: AsyncIterable<string>): AsyncGenerator<string[]> {
  let lines: string[] = []
  let characters = 0
  for await (const line of all) {
    lines.push(line)
    characters += line.length
    if (lines.length < BATCH.lines && characters < BATCH.characters) continue
    yield lines
    ;[lines, characters] = [[], 0]
  }
  if (lines.length > 0) yield lines
}
