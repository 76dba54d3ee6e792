import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ExportBench, openExports } from '#testkit/areas/export-bench.ts'
import { makeExportRow } from '#testkit/areas/exports.ts'
import type { Export } from './schema.ts'

let bench: ExportBench
beforeAll(async () => {
  bench = await openExports()
})
afterAll(() => bench.close())

test('exports are listed, the newest first, to keys with the permission that asking for them took', async () => {
  const older = await makeExportRow(bench.side)
  const newer = await makeExportRow(bench.side)
  const query = '/exports?kind=samples&status=queued&limit=2'
  const ids = async (side: Pick<ExportBench['side']['admin'], 'get'>) =>
    (await side.get<{ data: Export[] }>(query)).body.data.map(({ id }) => id)
  expect(await ids(bench.side.admin)).toEqual([newer.id, older.id])
  for (const [permission, found] of [
    ['read:members', 2],
    ['read:forms', 0],
  ] as const) {
    const { key } = await bench.side.makeKey({ permissions: [permission] })
    expect(await ids(bench.side.as(key))).toHaveLength(found)
  }
  expect(await ids(bench.other.admin)).toEqual([])
})
