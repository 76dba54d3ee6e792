import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test, vi } from 'vitest'
import { areas } from '#areas/areas.ts'
import { catalogueOf } from '#platform/area.ts'
import type { EventType } from '#platform/events/emit.ts'

// Each test walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const SOURCES = join(import.meta.dirname, '../src')
const { events: eventCatalogue } = catalogueOf(areas)
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))

describe.each([...eventCatalogue.values()])('$name', (type) => {
  test('has an example that fits what it says of its data', () => {
    const validate = ajv.compile(type.data)
    validate(type.example)
    expect(validate.errors ?? []).toEqual([])
  })

  test('is named after a thing and what happened to it, and described', () => {
    expect(type.name).toMatch(/^[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)+$/)
    expect(type.description).not.toBe('')
  })

  test('tells of an object with an id', () => {
    expect(type.example).toMatchObject({ id: expect.stringMatching(/^[a-z]+_[0-9a-z]{26}$/) })
  })
})

test('every event that an area declares is in the catalogue, and no two share a name', async () => {
  const areas = (await readdir(SOURCES, { recursive: true })).filter((file) => file.endsWith('/events.ts'))
  expect(areas.length).toBeGreaterThan(2)
  const names: string[] = []
  for (const file of areas) {
    const declared: Record<string, EventType> = await import(join(SOURCES, file))
    names.push(...Object.values(declared).map((type) => type.name))
  }
  expect(names.sort()).toEqual([...eventCatalogue.keys()].sort())
})
