import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { EventLoopTurns } from './event-loop-turns.ts'

/** Uses the processor. @param ms of this thread's time */
function work(ms: number): void {
  const spent = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  for (const begun = spent(); spent() - begun < ms; );
}

test('one piece of work is done in a turn of the event loop, and projects take turns', async () => {
  const turns = new EventLoopTurns()
  const done: string[] = []
  let inThisTurn = 0
  let most = 0
  const piece = async (projectId: string) => {
    await turns.next({ projectId })
    done.push(projectId)
    most = Math.max(most, ++inThisTurn)
    setImmediate(() => (inThisTurn = 0))
  }
  await Promise.all(['one', 'one', 'one', 'one', 'two'].map(piece))
  expect(most).toBe(1)
  expect(done.indexOf('two')).toBeLessThan(3)
})

test('after each piece of work the event loop is left to others for three times as long', async () => {
  const turns = new EventLoopTurns()
  const pieces = Array.from({ length: 10 }, async () => {
    await turns.next({ projectId: 'one' })
    work(20)
  })
  const all = Promise.all(pieces)
  const begun = performance.eventLoopUtilization()
  await all
  const { idle } = performance.eventLoopUtilization(begun)
  // Of the last piece nobody waits for the rest. A machine that stands still makes rests longer, never shorter.
  expect(idle).toBeGreaterThan(9 * 45)
})

test('work that takes more than a millisecond waits for its turn behind that of others', async () => {
  const turns = new EventLoopTurns()
  const slices = turns.begin({ projectId: 'one' })
  work(2)
  expect(slices.isOver).toBe(true)
  const order: string[] = []
  const earlier = turns.next({ projectId: 'two' }).then(() => order.push('earlier'))
  await slices.next()
  order.push('later')
  await earlier
  expect(order).toEqual(['earlier', 'later'])
})

test('whoever leaves while waiting has no turn, and who comes where too many wait is refused', async () => {
  const turns = new EventLoopTurns({ waiting: 1 })
  const first = turns.next({ projectId: 'one' })
  const second = turns.next({ projectId: 'one' })
  await expect(turns.next({ projectId: 'one' })).rejects.toMatchObject({ status: 503 })
  await Promise.all([first, second])
  await expect(
    turns.next({ projectId: 'one', signal: AbortSignal.abort(new Error('gone')) }),
  ).rejects.toThrow('gone')
})
