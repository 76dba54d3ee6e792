import { toId } from '#platform/ids.ts'
import * as hooks from './hook/ask.ts'
import * as hookQueries from './hook/queries.ts'
import { ruleId } from './ids.ts'
import * as folding from './mutes/fold.ts'
import * as mutes from './mutes/queries.ts'
import * as rules from './rules/judge.ts'
import * as schema from './rules/schema.ts'

export const { hasMuted } = mutes
/** How posts of members are folded for whoever has muted them. */
export const { foldMuted, folded, mutedBy, mutesAmong } = folding
export const { judgeWritten, linksIn, linksInText } = rules
export const { KINDS } = schema
/** The hook of a project, and how it is asked about a post. */
export const { hookInUse } = hookQueries
export const { askHook } = hooks
export type { Asked as AskedHook } from './hook/messages.ts'
export type { HookInUse } from './hook/queries.ts'
/** The public id of a rule. */
export const toRuleId = (id: string): string => toId(ruleId, id)
