import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { contractFault } from './expand-contract.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

test('the version before can run on every migration, or the migration says why it need not', async () => {
  // No version ran before the baseline.
  const { files } = JSON.parse(await readFile(new URL('baseline.json', FOLDER), 'utf8'))
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql') && !files.includes(name))
  expect(names).not.toEqual([])
  const faults = await Promise.all(
    names.map(async (name) => [name, contractFault(await readFile(new URL(name, FOLDER), 'utf8'))] as const),
  )
  expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([])
})

test.each([
  'alter table a drop column b;',
  'alter table a rename column b to c;',
  'alter table a rename to c;',
  'drop table a;',
  'alter table a alter column b type bigint;',
  'alter table a alter column b set not null;',
  'alter table a alter column b drop default;',
  'alter table a add column b text not null;',
])('%s needs a reason', (sql) => {
  expect(contractFault(sql)).toMatch(/contract/)
  expect(contractFault(`-- contract: nothing has read it since the version of May\n${sql}`)).toBeUndefined()
})

test.each([
  'alter table a add column b text;',
  "alter table a add column b text not null default '';",
  'create table a (b text not null);',
  '-- drop column\ncreate index on a (b);',
])('%s needs none', (sql) => {
  expect(contractFault(sql)).toBeUndefined()
})
