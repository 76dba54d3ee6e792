import * as mutes from './mutes/queries.ts'
import * as rules from './rules/judge.ts'

export const { hasMuted } = mutes
export const { judgeWritten } = rules
