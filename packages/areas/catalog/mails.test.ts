import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { areas } from '#areas/areas.ts'
import { catalogueOf } from '#platform/area.ts'
import type { MailType } from '#platform/mail/define-mail.ts'
import { COMMON_VALUES, placeholderFaults } from '#platform/mail/render-mail.ts'

const SOURCES = join(import.meta.dirname, '../src')
const { mails: mailCatalogue } = catalogueOf(areas)

describe.each([...mailCatalogue.values()])('the mail $name', (type) => {
  test('is named, and says when it is sent', () => {
    expect(type.name).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(type.description).not.toBe('')
  })

  test('has an example that fits its values, all of which are strings', () => {
    expect(Value.Check(type.values, type.example)).toBe(true)
    for (const value of Object.values(type.example)) expect(typeof value).toBe('string')
  })

  test('names no value that it does not have, and has a button where it has a link', () => {
    const known = [...COMMON_VALUES, ...Object.keys(type.values.properties)]
    for (const [field, text] of Object.entries(type.texts))
      expect(placeholderFaults(field, text, known)).toEqual([])
    expect(type.texts.action !== undefined).toBe('link' in type.values.properties)
  })
})

test('every mail that an area declares is in the catalogue, and no two share a name', async () => {
  const files = await readdir(SOURCES, { recursive: true })
  const names: string[] = []
  for (const file of files.filter((name) => name.endsWith('/mails.ts'))) {
    const declared: Record<string, MailType> = await import(join(SOURCES, file))
    names.push(...Object.values(declared).map((type) => type.name))
  }
  expect(names.length).toBeGreaterThan(5)
  expect(names.sort()).toEqual([...mailCatalogue.keys()].sort())
})
