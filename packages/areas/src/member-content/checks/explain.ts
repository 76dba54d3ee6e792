import type { Slices } from '#platform/threads/event-loop-turns.ts'
import { readPageUrl } from '../matching/page-url.ts'
import type { Explanation, Matched } from '../schema.ts'
import type { CompiledRule, CompiledRules } from './compiled-rules.ts'
import { decide, type MemberFacts } from './decide.ts'

/** Rules that are named at the most; a project can have 5,000, and all of them can match one page. */
export const MOST_MATCHED = 1_000

/** The rules that a page matches, the one that decides first, and what each would say. Counts no free view. */
export async function explain(
  { matcher }: CompiledRules,
  url: string,
  visitor: MemberFacts | undefined,
  slices: Slices,
): Promise<Explanation> {
  const page = readPageUrl(url)
  if (page === undefined)
    return { host: null, path: null, allowed: false, reason: 'invalid_url', matches: 0, rules: [] }
  const matched = await matcher.matchAll(page, slices)
  const { allowed, reason } = decide(matched[0], visitor)
  return {
    host: page.host ?? null,
    path: page.path,
    allowed,
    reason,
    matches: matched.length,
    rules: matched.slice(0, MOST_MATCHED).map((rule, i) => toMatched(rule, i === 0, visitor)),
  }
}

function toMatched(rule: CompiledRule, decides: boolean, visitor: MemberFacts | undefined): Matched {
  const { allowed, reason } = decide(rule, visitor)
  return {
    rule_id: rule.publicId,
    url_pattern: rule.urlPattern,
    decides,
    match: rule.pattern.exact === undefined ? 'wildcard' : 'exact',
    literal_prefix: rule.pattern.literalPrefix,
    names_host: rule.pattern.host !== undefined,
    created_at: rule.createdAt,
    would_allow: allowed,
    reason,
  }
}
