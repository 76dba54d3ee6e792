import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { areas } from '#areas/areas.ts'

test('every area that has a manifest is in the list, in alphabetical order', async () => {
  const files = await readdir(join(import.meta.dirname, '../src'), { recursive: true })
  const names = files.filter((file) => /^[^/]+\/area\.ts$/.test(file)).map((file) => file.split('/')[0])
  expect(names.length).toBeGreaterThan(2)
  expect(areas.map(({ name }) => name)).toEqual(names.sort())
})

test('every folder with endpoints has a manifest that registers them', async () => {
  const files = await readdir(join(import.meta.dirname, '../src'), { recursive: true })
  const withRoutes = files.flatMap((file) => /^([^/]+)\/routes\.ts$/.exec(file)?.[1] ?? [])
  const registered = areas.filter(({ routes }) => routes).map(({ name }) => name)
  expect(registered).toEqual(expect.arrayContaining(withRoutes))
})
