import { expect, test } from 'vitest'
import { newUuid } from '../ids.ts'
import { ProjectLoad } from './project-load.ts'

test('the 20 projects that took the most time in the last five minutes are shown, and those before are forgotten', () => {
  let now = 0
  const load = new ProjectLoad(() => now)
  const projects = Array.from({ length: 30 }, () => newUuid())
  for (const [n, project] of projects.entries()) load.add(project, n)
  now = 60_000
  load.add(projects[29] ?? '', 1)
  expect(load.busiest()).toHaveLength(20)
  expect(load.busiest()[0]).toEqual({ projectId: projects[29], requests: 2, seconds: 30 })
  now = 5 * 60_000
  expect(load.busiest()).toEqual([{ projectId: projects[29], requests: 1, seconds: 1 }])
  now = 6 * 60_000
  expect(load.busiest()).toEqual([])
})

test('more projects than can be kept do not grow the memory of the process', () => {
  const load = new ProjectLoad(() => 0)
  for (let n = 0; n < 12_000; n++) load.add(String(n), n)
  expect(load.busiest()[0]?.projectId).toBe('9999')
})
