import { setTimeout as sleep } from 'node:timers/promises'
import { toId } from '#platform/ids.ts'
import { noteAct } from '../acts.ts'
import { inTransaction } from '../transaction.ts'
import { activate, removeCopy, removeOldCopyLater, removeRows } from './arrival.ts'
import { type Comparison, compare } from './compare.ts'
import { copyTables } from './copy-tables.ts'
import { EventNumbers, oldestOpen } from './event-numbers.ts'
import { layFence, removeFence } from './fence.ts'
import { copyFiles } from './files.ts'
import { fenceSource, HoldIsOver, holdWrites, release, restProject, StillRunning, whatRuns } from './hold.ts'
import { countForeign, handKeysOver, publishSigningKeys, sealForMove } from './keys.ts'
import { LongHold } from './long-hold.ts'
import { type Move, type MoveMethod, noteStep } from './move.ts'
import { awaitApplied, awaitCopy, endReplication, isSubscribed, publish, subscribe } from './replication.ts'
import { moveUsage } from './usage.ts'

/** What a move has done. */
export interface MoveReport {
  readonly id: string
  readonly outcome: 'moved' | 'taken back'
  readonly method: MoveMethod
  /** Milliseconds for which nothing could be written. */
  readonly hold_ms: number
  readonly rows: number
  readonly tables: number
  readonly files: number
  readonly bytes: number
  /** Milliseconds that the other installation was behind when the hold began. */
  readonly lag_ms: number
  /** Milliseconds of each step. */
  readonly steps: Readonly<Record<string, number>>
}

/** The two copies differ; the move was taken back. */
export class CopiesDiffer extends Error {
  override name = 'CopiesDiffer'
}

/** A hold that came at a bad moment is tried again. */
const HOLDS = 5

type Figures = { -readonly [Name in keyof MoveReport]: MoveReport[Name] }

/** Runs the steps of a move, and notes how long each took. */
class Steps {
  readonly took: Record<string, number> = {}
  readonly #move: Move

  constructor(move: Move) {
    this.#move = move
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const begun = performance.now()
    const result = await work()
    const ms = Math.round(performance.now() - begun)
    this.took[name] = (this.took[name] ?? 0) + ms
    this.#move.say(`${name}: ${ms} ms`)
    await noteStep(this.#move, name)
    return result
  }
}

/**
 * Moves a project while it is used. Each step may be repeated, so that a move that was killed goes on from its beginning; what is
 * copied already is not copied again. What fails before the switch takes the move back.
 */
export async function runMove(move: Move): Promise<MoveReport> {
  const steps = new Steps(move)
  const figures: Figures = {
    ...{
      id: toId('project', move.row.live_id),
      outcome: 'moved',
      method: move.method,
      hold_ms: 0,
      rows: 0,
      tables: 0,
      files: 0,
      bytes: 0,
      lag_ms: 0,
    },
    steps: steps.took,
  }
  if (move.row.switched_at === null)
    try {
      await copy(move, steps, figures)
      await switchOver(move, steps, figures)
    } catch (error) {
      await takeBack(move)
      throw error
    }
  const switched = performance.now()
  await arrive(move, steps)
  await release(move)
  await steps.run('move usage', () => moveUsage(move, performance.now() - switched))
  await end(move, figures)
  return figures
}

/** Everything that holds nobody up. */
async function copy(move: Move, steps: Steps, figures: Figures): Promise<void> {
  const { source, target, sides } = move
  await steps.run('seal secrets anew', () => sealForMove(move))
  await steps.run('lay the fence', async () => {
    await layFence(source.owner, sides)
    await layFence(target.owner, sides)
  })
  const wait = await steps.run('hand keys over', () => handKeysOver(move))
  const known = performance.now() + wait
  if (move.method === 'replication') {
    // One that was killed may have copied rows in a hold.
    if (!(await isSubscribed(move))) await removeRows(move)
    await steps.run('publish', () => publish(move))
    await steps.run('subscribe', () => subscribe(move))
    await steps.run('copy tables', () => awaitCopy(move))
  } else await endReplication(move)
  const copied = await steps.run('copy files', () => copyFiles(move))
  figures.files += copied.files
  figures.bytes += copied.bytes
  if (move.method === 'replication')
    await steps.run('follow', async () => {
      do figures.lag_ms = Math.round(await awaitApplied(move))
      while (figures.lag_ms > move.limits.lagMs)
    })
  await steps.run('keys are known', () => sleep(Math.max(0, known - performance.now())))
}

/** The hold, and the moment from which on the project lives in the other cell. */
async function switchOver(move: Move, steps: Steps, figures: Figures): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const numbers = new EventNumbers()
    if (move.method === 'replication')
      await steps.run('number events', async () => {
        const bound = await oldestOpen(move)
        await awaitApplied(move)
        await numbers.numberBefore(move, bound)
      })
    else await steps.run('remove an earlier copy', () => removeRows(move))
    await steps.run('rest', () => restProject(move))
    const begun = performance.now()
    try {
      if (move.method === 'replication') await follow(move, steps, numbers, figures)
      else await copyInHold(move, steps, numbers, figures)
      figures.hold_ms = Math.round(performance.now() - begun)
      return
    } catch (error) {
      await release(move)
      const isWorthTrying =
        error instanceof StillRunning || error instanceof HoldIsOver || isLockTimeout(error)
      if (!isWorthTrying || attempt === HOLDS) throw error
      move.say(`the hold was taken back: ${(error as Error).message}`)
    }
  }
}

/** The last rows follow by themselves. */
async function follow(move: Move, steps: Steps, numbers: EventNumbers, figures: Figures): Promise<void> {
  const until = await steps.run('hold writes', () => holdWrites(move, move.limits.holdMs))
  await assertNothingRuns(move)
  const files = await steps.run('catch up', async () => {
    const [copied] = await Promise.all([copyFiles(move), awaitApplied(move, move.limits.holdMs)])
    return copied
  })
  figures.files += files.files
  figures.bytes += files.bytes
  await makeEqual(move, steps, numbers, figures)
  await steps.run('switch', () => fenceSource(move, until))
}

/** All rows are copied while nothing can be written. */
async function copyInHold(move: Move, steps: Steps, numbers: EventNumbers, figures: Figures): Promise<void> {
  const held = await steps.run('hold writes', () => LongHold.begin(move))
  try {
    await assertNothingRuns(move)
    await steps.run('copy tables', () => copyTables(move, held.assertHeld))
    const files = await steps.run('catch up', () => copyFiles(move))
    figures.files += files.files
    figures.bytes += files.bytes
    await makeEqual(move, steps, numbers, figures)
    await steps.run('switch', async () => fenceSource(move, await held.end()))
  } finally {
    await held.stop()
  }
}

/** A claim that began before the rest has committed by now. @throws StillRunning */
async function assertNothingRuns(move: Move): Promise<void> {
  const running = await whatRuns(move)
  if (running.length > 0) throw new StillRunning(`these still run: ${running.slice(0, 10).join(', ')}`)
}

/** What is left once all rows are there, and the proof that they are. @throws CopiesDiffer */
async function makeEqual(move: Move, steps: Steps, numbers: EventNumbers, figures: Figures): Promise<void> {
  await steps.run('number the last events', () => numbers.numberBefore(move, NO_BOUND))
  const same: Comparison = await steps.run('compare', () => compare(move))
  if (same.different.length > 0)
    throw new CopiesDiffer(`these tables are not equal: ${same.different.join(', ')}`)
  const foreign = await countForeign(move)
  if (foreign > 0) throw new CopiesDiffer(`${foreign} secrets were sealed with SECRET_KEY meanwhile`)
  Object.assign(figures, { rows: same.rows, tables: same.tables })
  await numbers.assertOlder(move)
  await publishSigningKeys(move)
}

/** Above every transaction. */
const NO_BOUND = String(2n ** 63n)

const isLockTimeout = (error: unknown): boolean => (error as { code?: string }).code === '55P03'

/** Replication ends before the copy lives: what is removed here later would be removed there. */
async function arrive(move: Move, steps: Steps): Promise<void> {
  await steps.run('end replication', () => endReplication(move))
  await steps.run('publish signing keys', () => publishSigningKeys(move))
  await steps.run('activate', () => activate(move))
}

/** The old copy rests for a day, and is removed then. */
async function end(move: Move, report: MoveReport): Promise<void> {
  const { source, row, by } = move
  await removeOldCopyLater(move)
  await removeFence(move.target.owner, row.live_id)
  await inTransaction(source.owner, async (client) => {
    const { rowCount } = await client.query(
      `update project_moves set ended_at = now(), outcome = 'moved', step = 'ended', report = $2 where id = $1 and ended_at is null`,
      [row.id, JSON.stringify(report)],
    )
    const { live_id: liveId, name, cell } = row
    if (rowCount === 1)
      await noteAct(client, by, { liveId, name, action: 'project.move', after: { cell, ...report } })
  })
}

/** Leaves everything as it was before the move. May be repeated. */
export async function takeBack(move: Move): Promise<void> {
  const { source, row } = move
  await release(move)
  await endReplication(move)
  await removeCopy(move)
  await removeFence(source.owner, row.live_id)
  await removeFence(move.target.owner, row.live_id)
  await source.owner.query(
    `update project_moves set ended_at = now(), outcome = 'taken back', unfenced_at = now() where id = $1 and ended_at is null`,
    [row.id],
  )
}
