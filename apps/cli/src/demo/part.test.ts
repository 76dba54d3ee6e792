import { expect, test } from 'vitest'
import type { Context } from '#platform/db/tenant.ts'
import { DAY_MS } from './agenda.ts'
import { type DemoPlace, sceneOf } from './part.ts'

test('days ago are as many milliseconds at every time, so that what happens at one moment keeps its order', () => {
  const NOW = Date.parse('2026-11-28T09:00:00.000Z')
  const offsets = (now: number) => {
    const { ago } = sceneOf(
      {} as Context,
      { now } as DemoPlace,
      { name: 'any' } as Parameters<typeof sceneOf>[2],
    )
    return Array.from({ length: 500 }, (_, i) => now - ago((i * 88) / 487))
  }
  const first = offsets(NOW)
  expect(first.every(Number.isInteger)).toBe(true)
  for (const later of [1, 12_345, DAY_MS / 2 + 7]) expect(offsets(NOW + later)).toEqual(first)
})
