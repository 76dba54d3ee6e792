import * as mutes from './mutes/queries.ts'
import * as rules from './rules/judge.ts'
import * as schema from './rules/schema.ts'

export const { hasMuted } = mutes
export const { judgeWritten } = rules
export const { KINDS } = schema
