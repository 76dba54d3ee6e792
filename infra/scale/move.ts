/** A project moves between two installations while it is written, and its command is killed after every step. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { killAfter } from './move/kill-after.ts'
import { type Cell, type CellProject, makeCellProject, startCell } from './move-cells.ts'
import type { Report } from './report.ts'
import type { Try } from './try.ts'

const COMMAND = fileURLToPath(new URL('../../apps/cli/src/main.ts', import.meta.url))
/** Of the command, in their order. */
const STEPS = [
  ...['seal secrets anew', 'lay the fence', 'hand keys over', 'publish', 'subscribe', 'copy tables'],
  ...['copy files', 'follow', 'number events', 'rest', 'hold writes', 'catch up', 'compare', 'switch'],
  ...['end replication', 'activate'],
]
const WAIT_MS = 10

interface Written {
  readonly made: string[]
  refused: number
  readonly others: string[]
}

export async function judgeMove(report: Report, { folder, quick }: Try): Promise<void> {
  report.begin('A project moves between two cells while it is written')
  const [here, there] = await Promise.all([
    startCell(folder, 'here', 'there'),
    startCell(folder, 'there', 'here'),
  ])
  try {
    const [moving, staying] = [await makeCellProject(here, 'Moving'), await makeCellProject(here, 'Staying')]
    const over = new AbortController()
    const whole = await makeCellProject(here, 'Whole')
    const traffic = [moving, staying, whole].map((project) => write(here, project, over.signal))
    const killed = quick ? ['copy tables', 'hold writes', 'switch'] : STEPS
    try {
      for (const step of killed) {
        const { isKilled } = await run(here, there, moving, step)
        const active = await activeIn(here, there, moving)
        report.add(`killed after "${step}"`, [
          ...(isKilled ? [] : ['the step did not come']),
          ...(active > 1 ? [`the project is active in ${active} cells`] : []),
        ])
      }
      const { result: rest } = await run(here, there, moving)
      report.add('the same command ends it', outcomeOf(rest) === 'moved' ? [] : ['it did not end'])
      // One that nobody kills has the figures of all steps.
      const { result } = await run(here, there, whole)
      over.abort()
      await judge(report, { here, there, moving, staying, whole }, result, await Promise.all(traffic))
    } finally {
      over.abort()
      await Promise.all(traffic)
    }
  } finally {
    await here.close()
    await there.close()
  }
}

const outcomeOf = (result: string) => (JSON.parse(result || '{}') as { outcome?: unknown }).outcome

interface Place {
  readonly here: Cell
  readonly there: Cell
  readonly moving: CellProject
  readonly staying: CellProject
  readonly whole: CellProject
}

async function judge(
  report: Report,
  { here, there, moving, staying, whole }: Place,
  result: string,
  [written, others, wholly]: readonly Written[],
): Promise<void> {
  const moved = JSON.parse(result || '{}') as { steps?: Record<string, number> } & Record<string, unknown>
  for (const [step, ms] of Object.entries(moved.steps ?? {})) report.add(step, [], `${ms} ms`)
  const { hold_ms, rows, files, lag_ms } = moved
  report.add(
    'the move',
    moved['outcome'] === 'moved' ? [] : ['it did not end'],
    JSON.stringify({ hold_ms, rows, files, lag_ms }),
  )
  const emails = async (cell: Cell, { side }: CellProject) =>
    new Set(
      (
        await cell.owner.query<{ email: string }>('select email from members where project_id = $1', [side])
      ).rows.map(({ email }) => email),
    )
  for (const [project, of] of [
    [moving, written],
    [whole, wholly],
  ] as const) {
    const arrived = await emails(there, project)
    const lost = of?.made.filter((email) => !arrived.has(email)) ?? []
    report.add(
      'every write that was answered is in the other cell',
      [
        ...(lost.length > 0 ? [`${lost.length} are lost`] : []),
        ...(of?.others.slice(0, 3).map((answer) => `answered ${answer}`) ?? []),
      ],
      `${of?.made.length} written, ${of?.refused} refused for the moment`,
    )
  }
  const foreign = await emails(there, staying)
  report.add(
    'nothing of the other project came along, and it was written without a fault',
    [...(foreign.size > 0 ? [`${foreign.size} rows`] : []), ...(others?.others.slice(0, 3) ?? [])],
    `${others?.made.length} written`,
  )
  const left = await here.owner.query('select from pg_replication_slots')
  report.add('no slot is left', left.rowCount === 0 ? [] : [`${left.rowCount} are left`])
}

/** Makes members one after the other until it is told to stop. */
async function write({ url }: Cell, { key }: CellProject, signal: AbortSignal): Promise<Written> {
  const written: Written = { made: [], refused: 0, others: [] }
  for (let n = 0; !signal.aborted; n++) {
    const email = `member${n}@example.com`
    const answer = await fetch(`${url}/api/v1/members`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    await answer.text()
    if (answer.status === 201) written.made.push(email)
    else if (answer.status === 503) written.refused += 1
    else written.others.push(String(answer.status))
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
  return written
}

/** Runs the command. @param step after which it is killed */
async function run(here: Cell, there: Cell, { id }: CellProject, step?: string) {
  const child = spawn(
    process.execPath,
    [
      ...(step === undefined ? [] : killAfter(step)),
      COMMAND,
      'project',
      'move',
      id,
      '--to',
      'there',
      '--as',
      'here',
      '--target-environment',
      there.settings,
      '--json',
    ],
    { env: { PATH: process.env['PATH'], ...here.environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const result = text(child.stdout)
  const exit = once(child, 'exit')
  for await (const line of createInterface({ input: child.stderr }))
    if (line.startsWith('error')) process.stdout.write(`${line}\n`)
  const [, signal] = await exit
  return { isKilled: signal === 'SIGKILL', result: await result }
}

/** In how many cells a project is active. */
async function activeIn(here: Cell, there: Cell, { side }: CellProject): Promise<number> {
  const found = await Promise.all(
    [here, there].map(({ owner }) =>
      owner.query(
        'select from projects p where p.id = $1 and not exists (select from project_locations l where l.id = p.id)',
        [side],
      ),
    ),
  )
  return found.filter(({ rowCount }) => rowCount === 1).length
}
