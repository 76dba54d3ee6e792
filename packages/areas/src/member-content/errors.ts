import { defineError } from '#platform/define-error.ts'

/** Rules of a project at the most: every process keeps them compiled in memory. */
export const MOST_RULES = 5_000

export const ruleLimit = defineError({
  code: 'RULE_LIMIT',
  message: `A project has at most ${MOST_RULES} rules`,
})
