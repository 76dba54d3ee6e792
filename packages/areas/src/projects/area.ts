import { defineArea } from '#platform/area.ts'
import * as errors from './errors.ts'
import * as ids from './ids.ts'
import { endMoves } from './move/end-moves.schedule.ts'
import { runMoves } from './move/run-moves.schedule.ts'
import { removeDeleted } from './removal/remove-deleted.schedule.ts'
import { keepProjectKeys } from './sealing/keep-project-keys.schedule.ts'
import { makeExports } from './transfer/make-exports.schedule.ts'
import { makeImports } from './transfer/make-imports.schedule.ts'
import { countUsage } from './usage/count-usage.schedule.ts'

/** Whole projects, for operators: the console and the command call its services. */
export const projects = defineArea({
  name: 'projects',
  ids,
  errors,
  background: {
    schedules: [removeDeleted, countUsage, keepProjectKeys, endMoves, makeExports, makeImports, runMoves],
  },
})
