import { expect, test, vi } from 'vitest'
import { areas } from '#areas/areas.ts'
import { catalogueOf } from '#platform/area.ts'
import { type EventType, emit } from '#platform/events/emit.ts'
import type { TestApi } from '#testkit/api.ts'
import { wrongCounters } from '#testkit/catalog/recount.ts'
import { makeNamed, pathIds } from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

// Each test walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// Every event of the catalogue, and every counter: a new one is covered the day it is added.

let api: TestApi
let side: Side

withProjects((opened, project) => {
  api = opened
  side = project.live
})

/** The example, with a member's id wherever the schema has an example of one. */
function fullExample({ data, example }: EventType): Record<string, unknown> {
  const { properties = {} } = data as { properties?: Record<string, { examples?: unknown[] }> }
  const ids = Object.entries(properties).flatMap(([name, { examples }]) =>
    String(examples?.[0]).startsWith('mem_') ? [[name, examples?.[0]] as const] : [],
  )
  return { ...(example as Record<string, unknown>), ...Object.fromEntries(ids) }
}

test('an event that names a member is in that member’s log, so that it is exported and erased with the member', async () => {
  const types = [...catalogueOf(areas).events.values()]
  await side.write((ctx) => {
    for (const type of types) emit(ctx, type, fullExample(type))
  })
  const { rows } = await api.owner.query(
    `select type from events where project_id = $1 and payload::text ~ '"mem_' and member_id is null`,
    [side.projectId],
  )
  expect(rows.map(({ type }) => type).filter((type) => !(type in SAYS_WHO_ACTED))).toEqual([])
})

/** Events that name only who did something to what is nobody's, with the reason why they tell nothing of that member. */
const SAYS_WHO_ACTED: Readonly<Record<string, string>> = {}

test('every counter says what counting again says, whatever was made', async () => {
  const prefixes = new Set(api.contract.endpoints.flatMap(pathIds).map(({ prefix }) => prefix))
  for (const prefix of prefixes) if (prefix !== '') await makeNamed(side, prefix)
  expect(await wrongCounters(api.owner)).toEqual([])
})
