import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'
import { ruleId } from '../ids.ts'
import { MOST_WILDCARDS, readPattern } from '../matching/pattern.ts'

const listPatterns = defineQuery('content_rule_patterns', () =>
  query.selectFrom('content_rules').select(['id', 'url_pattern']).orderBy('id'),
)

/** Rules with more wildcards than a new one may have: made before there was a limit. They work, but checks of them are slow. */
export async function listRulesWithManyWildcards(data: ProjectData) {
  const { rules } = await data.read({ rules: listPatterns() })
  return rules.flatMap(({ id, url_pattern }) => {
    const pattern = readPattern(url_pattern)
    if (typeof pattern === 'string' || pattern.wildcards <= MOST_WILDCARDS) return []
    return [{ rule_id: toId(ruleId, id), url_pattern, wildcards: pattern.wildcards }]
  })
}
