import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { routes } from './routes.ts'

test('every area that has endpoints is in the registry, in alphabetical order', async () => {
  const files = await readdir(import.meta.dirname, { recursive: true })
  const areas = files.filter((file) => /^[^/]+\/routes\.ts$/.test(file)).map((file) => file.split('/')[0])
  expect(areas.length).toBeGreaterThan(2)
  expect(Object.keys(routes)).toEqual(areas.sort())
})
