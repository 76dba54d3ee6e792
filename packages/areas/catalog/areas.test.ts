import { readdir, readFile } from 'node:fs/promises'
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
  const registered = areas.filter(({ routes, console }) => routes ?? console).map(({ name }) => name)
  expect(registered).toEqual(expect.arrayContaining(withRoutes))
})

test('every kind of id that an area makes is in its manifest', async () => {
  const folder = join(import.meta.dirname, '../src')
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'))
  const made = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8')
      return [...text.matchAll(/\bdefineId\('([a-z]+)'/g)].map(
        ([, prefix]) => `${file.split('/')[0]} ${prefix}`,
      )
    }),
  )
  const declared = areas.flatMap(({ name, ids = {} }) =>
    Object.values(ids).map(({ prefix }) => `${name} ${prefix}`),
  )
  expect(declared.sort()).toEqual(made.flat().sort())
})
