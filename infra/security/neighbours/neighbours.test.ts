import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { ABUSES } from './abuses/abuses.ts'
import type { Calm } from './calm.ts'
import { type CalmClient, makeCalmClient, play } from './play.ts'
import { type Servers, startServers } from './servers.ts'
import { boundOf, faultsOf, type Outcome, percentile, worstKind } from './verdict.ts'

// The short form of `npm run security -- neighbours`: little data, a second each, and no clocks: the machine is busy.
const PACE = { seconds: 1, secondsAlone: 0, size: 0.05 }

let database: TestDatabase
let servers: Servers
let calm: CalmClient
beforeAll(async () => {
  database = await cloneDatabase()
  const folder = await mkdtemp(join(inject('servers').runFolder, 'neighbours-'))
  servers = await startServers({ databaseUrl: database.url, secretKey: database.secretKey, folder })
  calm = await makeCalmClient(servers)
})
afterAll(async () => {
  await servers?.stop()
  await database?.drop()
})

test.each(ABUSES.filter(({ inShortForm }) => inShortForm).map((abuse) => [abuse.name, abuse] as const))(
  'beside %s every calm request is answered, nothing is a 5xx, and the processes live within their heap',
  async (_, abuse) => {
    const outcome = await play(servers, calm, abuse, PACE)
    expect(faultsOf(outcome)).toEqual([])
  },
)

const calmOf = (...times: number[]): Calm[] => [{ kind: 'read', times, faults: [] }]
const UNHARMED: Outcome = {
  name: 'x',
  alone: calmOf(50),
  beside: calmOf(150),
  sent: { statuses: { 200: 3, later: 2 } },
  heap: 0.5,
  turn: 10,
  dead: [],
}

test('a neighbour is harmed by time, by a refusal, by a 5xx, by memory and by an end', () => {
  expect(faultsOf(UNHARMED)).toEqual([])
  expect(faultsOf({ ...UNHARMED, beside: calmOf(151) })).toEqual(['read: p99 151 ms, bound 150 ms'])
  const refused: Calm[] = [{ kind: 'read', times: [1], faults: ['429 no'] }]
  expect(faultsOf({ ...UNHARMED, beside: refused })).toEqual(['read: 1 of 1 failed: 429 no'])
  expect(faultsOf({ ...UNHARMED, sent: { statuses: { 500: 1 }, firstFault: 'oh' } })).toEqual([
    'the abuser got 1 × 500: oh',
  ])
  expect(faultsOf({ ...UNHARMED, heap: 0.81 })).toEqual(['the heap had 81 % of its limit'])
  expect(faultsOf({ ...UNHARMED, dead: ['api'] })).toEqual(['api has ended'])
})

test('a p99 may be 100 ms or three times that of the client alone, and never over a second', () => {
  expect([10, 50, 900].map(boundOf)).toEqual([100, 150, 1_000])
  expect(percentile([1, 2, 3, 4], 0.5)).toBe(2)
  expect(percentile([1, 2, 3, 4], 0.99)).toBe(4)
  const slow: Calm = { kind: 'post', times: [900], faults: [] }
  expect(worstKind({ ...UNHARMED, beside: [...UNHARMED.beside, slow] })).toBe('post')
})
