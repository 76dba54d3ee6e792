import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeExportRow } from '#testkit/areas/exports.ts'
import { type ExportEnvironment, openExports } from '#testkit/environments/export-environment.ts'
import type { Export } from './schema.ts'

let env: ExportEnvironment
beforeAll(async () => {
  env = await openExports()
})
afterAll(() => env.close())

test('exports are listed, the newest first, to keys with the permission that asking for them took', async () => {
  const older = await makeExportRow(env.side)
  const newer = await makeExportRow(env.side)
  const query = '/exports?kind=samples&status=queued&limit=2'
  const ids = async (side: Pick<ExportEnvironment['side']['admin'], 'get'>) =>
    (await side.get<{ data: Export[] }>(query)).body.data.map(({ id }) => id)
  expect(await ids(env.side.admin)).toEqual([newer.id, older.id])
  for (const [permission, found] of [
    ['read:members', 2],
    ['read:forms', 0],
  ] as const) {
    const { key } = await env.side.makeKey({ permissions: [permission] })
    expect(await ids(env.side.as(key))).toHaveLength(found)
  }
  expect(await ids(env.other.admin)).toEqual([])
})

test('a key without the permission that it was asked with is refused', async () => {
  const { id } = await makeExportRow(env.side)
  const forms = await env.side.makeKey({ permissions: ['read:forms'] })
  const members = await env.side.makeKey({ permissions: ['read:members'] })
  expect(await env.side.as(forms.key).get(`/exports/${id}`)).toMatchObject({
    status: 403,
    body: { code: 'INSUFFICIENT_PERMISSIONS' },
  })
  expect((await env.side.as(members.key).get(`/exports/${id}`)).status).toBe(200)
})
