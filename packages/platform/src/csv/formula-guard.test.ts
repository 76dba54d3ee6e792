import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { query } from '../db/statement.ts'
import { guardCell, guarded } from './formula-guard.ts'
import { literalSql } from './literal-sql.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await cloneDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** What PostgreSQL makes of texts that are written into the statement, as exports do it. */
async function guardedByPostgres(texts: readonly (string | null)[]): Promise<(string | null)[]> {
  const cells = texts.map((text, i) => guarded(sql`${text}::text`).as(`c${i}`))
  const { rows } = await client.query(literalSql(query.selectNoFrom(cells)))
  return texts.map((_, i) => rows[0][`c${i}`])
}

test.each([
  ['=1+1', "'=1+1"],
  ['+43 660 1234', "'+43 660 1234"],
  ['-', "'-"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', "'\rx"],
  ['-5', '-5'],
  ['+5', '+5'],
  ['-0.5e-7', '-0.5e-7'],
  ['-.5', '-.5'],
  ['-5 ', "'-5 "],
  ['-5\n', "'-5\n"],
  ['-5=1', "'-5=1"],
  ['-Infinity', "'-Infinity"],
  ['--5', "'--5"],
  ['', ''],
  [' =1', ' =1'],
  ['a=1', 'a=1'],
  ['\n=1', '\n=1'],
  ["'=1", "'=1"],
  ['\u{1f600}', '\u{1f600}'],
])('%j becomes %j, here and in PostgreSQL', async (text, expected) => {
  expect(guardCell(text)).toBe(expected)
  expect(await guardedByPostgres([text])).toEqual([expected])
})

test('what is null stays null', async () => {
  expect(await guardedByPostgres([null])).toEqual([null])
})

test('PostgreSQL and we agree on every text', async () => {
  const start = fc.constantFrom(
    '',
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    "'",
    '"',
    '\\',
    '1',
    '.',
    '$1',
    '$$',
  )
  const text = fc
    .array(fc.oneof(start, fc.string({ unit: 'grapheme', maxLength: 3 }), fc.double().map(String)), {
      maxLength: 4,
    })
    .map((parts) => parts.join('').replaceAll('\0', ''))
    .filter((joined) => joined.isWellFormed())
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 50 }), async (texts) => {
      expect(await guardedByPostgres(texts)).toEqual(texts.map(guardCell))
    }),
  )
})
