import type { Bound } from './batch.ts'

const control = (word: 'begin' | 'commit' | 'rollback'): Bound => ({
  name: `g_${word}`,
  sql: word,
  values: [],
})

/** Of a transaction that takes more than one batch. */
export const BEGIN = control('begin')
export const COMMIT = control('commit')
export const ROLLBACK = control('rollback')
