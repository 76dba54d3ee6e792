import { EventEmitter } from 'node:events'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { queryOnce } from '#platform/db/query.ts'
import { makeReportTurns } from '#platform/deps.ts'
import type { Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import { withProjects } from '#testkit/with-api.ts'
import { makeRunReport } from './run-reports.ts'

let one: Side
let other: Side

withProjects((_api, first, second) => {
  one = first.live
  other = second.live
})

/** What a report needs of a request. */
const asked = ({ projectId }: Side, socket = new EventEmitter()) =>
  ({ key: { id: 'key', projectId, type: 'secret' }, raw: { socket } }) as unknown as FastifyRequest

test('a project reads two reports at the same time, and the others in their turn: other projects have half of the connections', async () => {
  const run = makeRunReport(makeReportTurns())
  const begun: string[] = []
  const ends: (() => void)[] = []
  const report = (side: Side, name: string) =>
    run(asked(side), async () => {
      begun.push(name)
      await new Promise<void>((end) => ends.push(end))
      return name
    })
  const reports = ['a', 'b', 'c', 'd', 'e'].map((name) => report(one, name))
  const beside = report(other, 'of another project')
  await vi.waitFor(
    () => expect(begun).toEqual(expect.arrayContaining(['a', 'b', 'of another project'])),
    SOON,
  )
  expect(begun).toHaveLength(3)
  for (let ended = 0; ended < 6; ended++) {
    await vi.waitFor(() => expect(ends.length).toBeGreaterThan(ended), SOON)
    ends[ended]?.()
  }
  expect(await Promise.all([...reports, beside])).toEqual(['a', 'b', 'c', 'd', 'e', 'of another project'])
})

test('a report that takes too long is refused with what to do, and leaves its place to others', async () => {
  const run = makeRunReport(makeReportTurns())
  const slow = () =>
    one.read({
      limit: queryOnce('limit', sql`select set_config('statement_timeout', '20ms', true)`)(),
      slow: queryOnce('slow', sql`select pg_sleep(60)`)(),
    })
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => run(asked(one), slow)))
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ reason: { status: 422, code: 'REPORT_TOO_LARGE' } })
  expect(await run(asked(one), async () => 'read')).toBe('read')
})

test('a report whose client has gone gives up its turn, and the others keep theirs', async () => {
  const run = makeRunReport(makeReportTurns())
  const sockets = Array.from({ length: 4 }, () => new EventEmitter())
  const blocked = Promise.withResolvers<void>()
  const reading = [0, 1].map(() => run(asked(one), () => blocked.promise))
  const begun: number[] = []
  const waiting = sockets.map((socket, n) =>
    run(asked(one, socket), async () => {
      begun.push(n)
    }),
  )
  sockets[0]?.emit('close')
  sockets[2]?.emit('close')
  await expect(waiting[0]).rejects.toMatchObject({ status: 503 })
  await expect(waiting[2]).rejects.toMatchObject({ status: 503 })
  blocked.resolve()
  await Promise.all([...reading, waiting[1], waiting[3]])
  expect(begun).toEqual([1, 3])
  expect([sockets[1], sockets[3]].map((socket) => socket?.listenerCount('close'))).toEqual([0, 0])
})
