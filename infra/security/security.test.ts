import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { faultsOf, readRequirements } from './requirements.ts'
import { verdictOf } from './verdict.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('every requirement of docs/security.md names tests that exist, or a reason', async () => {
  const rows = await readRequirements(ROOT)
  expect(rows.length).toBeGreaterThan(40)
  expect((await Promise.all(rows.map((row) => faultsOf(ROOT, row)))).flat()).toEqual([])
})

test('all ten risks of the Top 10 and all chapters of the ASVS are there', async () => {
  const text = await readFile(`${ROOT}/docs/security.md`, 'utf8')
  for (let i = 1; i <= 10; i++) expect(text).toContain(`| API${i} `)
  for (let i = 1; i <= 17; i++) expect(text).toContain(`| V${i} `)
})

test('a requirement is met where each of its tests passed, and was run', () => {
  const tests = [{ file: 'packages/a.test.ts', name: 'holds' }]
  const row = { title: 'V1', means: 'x', tests }
  const ran = (status: string, fullName = 'a thing holds on') => [
    { file: 'packages/a.test.ts', fullName, status },
  ]
  expect(verdictOf(row, ran('passed'))).toBe('met')
  expect(verdictOf(row, ran('failed'))).toBe('FAILED')
  expect(verdictOf(row, [...ran('passed'), ...ran('failed')])).toBe('FAILED')
  expect(verdictOf(row, ran('passed', 'another'))).toBe('NOT RUN')
  expect(verdictOf(row, ran('skipped'))).toBe('NOT RUN')
  expect(verdictOf({ ...row, tests: [] }, [])).toBe('by reason')
})
