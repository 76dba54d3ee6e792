import pg from 'pg'
import { expect, test } from 'vitest'
import { types } from './types.ts'

test('a list of ids is read as the library reads it', () => {
  const oid: number = 2951
  const [read, library] = [types.getTypeParser(oid), pg.types.getTypeParser(oid as never, 'text')]
  const id = '01939bcf-6c00-7000-8000-000000000001'
  for (const text of ['{}', `{${id}}`, `{${id},NULL,${id}}`, '{NULL}'])
    expect(read(text)).toEqual(library(text))
})
