import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { toId } from '#platform/ids.ts'
import { ruleId } from '../ids.ts'
import { MOST_WILDCARDS, readPattern } from '../matching/pattern.ts'

/** Rules with more wildcards than a new one may have: made before there was a limit. They go on to work, but checks of them are slow. */
export const listRulesWithManyWildcards = defineQuery('content_rules_with_many_wildcards', () =>
  query.selectFrom('content_rules').select(['id', 'url_pattern']).orderBy('id'),
).map((rows) =>
  rows.flatMap(({ id, url_pattern }) => {
    const pattern = readPattern(url_pattern)
    if (typeof pattern === 'string' || pattern.wildcards <= MOST_WILDCARDS) return []
    return [{ rule_id: toId(ruleId, id), url_pattern, wildcards: pattern.wildcards }]
  }),
)
