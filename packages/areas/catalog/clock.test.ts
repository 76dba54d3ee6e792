import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { areas } from '#areas/areas.ts'
import { catalogueOf } from '#platform/area.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { advance, timeOf } from '#testkit/areas/test-clock.ts'
import { collectTimeFields, type TimedObject, timedObjects } from '#testkit/catalog/timed-objects.ts'
import { overheard, walk } from '#testkit/catalog/walked-api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import {
  BY_THE_CLIENT,
  ELSEWHERE,
  IN_ORDER,
  liveThrough,
  NEEDLESS_DEFAULTS,
  REAL_TIME,
  REAL_TIME_TABLES,
} from './clock-fields.fixture.ts'

// The clock of a test side is moved by a year, one of everything is made, and every timestamp of every answer and event is
// looked at: it goes by the clock that its area has (decision 0008). A field that is not listed goes by the project's clock.

// It walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const YEAR_MS = 365 * 86_400_000

let api: TestApi
let side: Side
/** When the walk began, and what time it was by the clock. */
let began: number
let clock: number
/** What was answered, by the operation or event that it was in. */
const found: { readonly by: string; readonly object: TimedObject }[] = []
/** All timestamps that answers and events can have. */
const known = new Set<string>()

beforeAll(async () => {
  const itself = await startApi()
  const { contract } = itself
  for (const { operation } of contract.endpoints)
    for (const [status, answer] of Object.entries(operation.responses)) {
      const schema = answer.content?.['application/json']?.schema
      if (Number(status) < 300 && schema) collectTimeFields(contract, schema, operation.operationId, known)
    }
  api = overheard(itself, ({ endpoint, status, body }) => {
    const schema = contract.response(endpoint, status)?.content?.['application/json']?.schema
    const by = endpoint.operation.operationId
    if (schema && began)
      for (const object of timedObjects(contract, schema, body, by)) found.push({ by, object })
  })
  const [one] = await makeProjects(api)
  side = one.test
  await advance(side, { days: 365 })
  began = Date.now()
  clock = Date.parse(await timeOf(side))
  await liveThrough(side)
  await walk(api, side, new Set(['advanceTestClock']))
  await overhearEvents()
})
afterAll(() => api.close())

async function overhearEvents(): Promise<void> {
  const { events } = catalogueOf(areas)
  const { rows } = await api.owner.query<{ type: string; payload: unknown }>(
    'select type, payload from events where project_id = $1',
    [side.projectId],
  )
  for (const { name, data } of events.values()) collectTimeFields(api.contract, data as never, name, known)
  for (const { type, payload } of rows) {
    const schema = events.get(type)?.data as never
    for (const object of timedObjects(api.contract, schema, payload, type)) found.push({ by: type, object })
  }
}

const reasonOf = (list: Readonly<Record<string, string>>, name: string, field: string): string | undefined =>
  list[`${name}.${field}`] ?? list[name]
const fieldsOf = ({ name, times }: TimedObject) => [...times].map(([field, time]) => ({ name, field, time }))
const isReal = (name: string, field: string) => reasonOf(REAL_TIME, name, field) !== undefined

test('every timestamp of every answer and event goes by the clock of its area', () => {
  const wrong = new Map<string, string>()
  for (const { by, object } of found)
    for (const { name, field, time } of fieldsOf(object)) {
      if (reasonOf(BY_THE_CLIENT, name, field) !== undefined) continue
      const at = Date.parse(time)
      // Things that were there before the clock was moved have the time of then.
      const isByClock = at > clock - YEAR_MS / 2 || at < began
      const isByRealTime = at < clock - YEAR_MS / 2
      if (isReal(name, field) ? !isByRealTime : !isByClock) wrong.set(`${name}.${field}`, `${time} in ${by}`)
    }
  expect([...wrong]).toEqual([])
})

test('no column of a table that goes by the project’s clock has a default of real time', async () => {
  const { rows } = await api.owner.query<{ name: string; ours: boolean }>(
    `select table_name || '.' || column_name as name, table_name <> all ($1) as ours from information_schema.columns
     where table_schema = 'public' and column_default ~* 'now\\(\\)|clock_timestamp|current_(date|timestamp)'`,
    [[...REAL_TIME_TABLES, ...NEEDLESS_DEFAULTS]],
  )
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter(({ ours }) => ours).map(({ name }) => name)).toEqual([])
})

test('every timestamp that goes by the project’s clock was seen', () => {
  const seen = new Set(
    found.flatMap(({ object }) => fieldsOf(object).map(({ name, field }) => `${name}.${field}`)),
  )
  const unseen = [...known].filter((each) => {
    const [name = '', field = ''] = [
      each.slice(0, each.lastIndexOf('.')),
      each.slice(each.lastIndexOf('.') + 1),
    ]
    const isExcused = isReal(name, field) || each in BY_THE_CLIENT || each in ELSEWHERE
    return !seen.has(each) && !isExcused
  })
  expect(unseen.toSorted()).toEqual([])
})

test('the lists of fields name nothing that there is not', () => {
  const names = new Set([...known].map((each) => each.slice(0, each.lastIndexOf('.'))))
  const listed = [REAL_TIME, BY_THE_CLIENT, ELSEWHERE].flatMap((list) => Object.keys(list))
  expect(listed.filter((each) => !known.has(each) && !names.has(each))).toEqual([])
})

describe('nothing is before what must precede it', () => {
  test('in one object', () => {
    const wrong = new Set<string>()
    let compared = 0
    for (const { by, object } of found)
      for (const [first, second] of IN_ORDER) {
        const [earlier, later] = [object.times.get(first), object.times.get(second)]
        if (earlier === undefined || later === undefined) continue
        if (isReal(object.name, first) !== isReal(object.name, second)) continue
        if (reasonOf(BY_THE_CLIENT, object.name, second) !== undefined) continue
        compared += 1
        if (earlier > later) wrong.add(`${object.name} in ${by}: ${first} ${earlier}, ${second} ${later}`)
      }
    expect([...wrong]).toEqual([])
    expect(compared).toBeGreaterThan(1_000)
  })

  test('of what is part of something, which was there before', () => {
    const wrong = new Set<string>()
    for (const { by, object } of found) {
      const [own, whole] = [object.times.get('created_at'), object.outer?.times.get('created_at')]
      if (own === undefined || whole === undefined || isReal(object.name, 'created_at')) continue
      if (own < whole) wrong.add(`${object.outer?.name} in ${by}: ${whole}, its ${object.name} ${own}`)
    }
    expect([...wrong]).toEqual([])
  })
})
