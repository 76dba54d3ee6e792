import { expect, test } from 'vitest'
import { cloneDatabase } from '#testkit/database.ts'
import { generateTables } from './tables.ts'

test('the table types and docs/schema.md are those of the migrated database', async () => {
  const database = await cloneDatabase()
  try {
    expect(generateTables(database.url, { verify: true })).toBeUndefined()
  } finally {
    await database.drop()
  }
})
