import { expect, test } from 'vitest'
import type { ProjectData } from '#platform/db/tenant.ts'
import type { Field } from '../builder/field-schema.ts'
import { FormVersions } from './form-versions.ts'

const field = (id: string, choices: number): Field => ({
  ...{ id, type: 'select', label: 'Choose' },
  options: Array.from({ length: choices }, (_, n) => ({ value: `${id}-${n}`, label: 'x'.repeat(100) })),
})

/** Versions of a form of so many fields, and how often one of them was read. */
function versionsOf(fields: number) {
  let reads = 0
  const form = { fields: Array.from({ length: fields }, (_, n) => field(`f${n}`, 200)), settings: {} }
  const data = {
    read: async () => {
      reads++
      return { form }
    },
  } as unknown as Pick<ProjectData, 'read'>
  const versions = new FormVersions()
  return { reads: () => reads, get: (version: number) => versions.get(data, 'form', version) }
}

test('of small forms hundreds are kept, of forms with a megabyte of choices as many as the heap has room for', async () => {
  for (const [fields, isKept] of [
    [1, true],
    [40, false],
  ] as const) {
    const versions = versionsOf(fields)
    for (let version = 1; version <= 300; version++) await versions.get(version)
    await versions.get(300)
    expect([fields, versions.reads()]).toEqual([fields, 300])
    await versions.get(1)
    expect([fields, versions.reads() === 300]).toEqual([fields, isKept])
  }
})
