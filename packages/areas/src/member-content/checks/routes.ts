import { memberNotFoundIn, whoMayAct } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { envelope } from '#platform/http/envelope.ts'
import { Check, CheckBatch, Decision, Decisions, Explain, Explanation } from '../schema.ts'
import { type CheckParts, checkPage, checkPages, memberFactsOf } from './check.ts'
import { explain } from './explain.ts'

const errors = [memberNotFoundIn('member_id')]
const check = { access: { secret: 'read:content', public: 'access', user: 'self' }, errors } as const

export function checkRoutes(api: Api, parts: CheckParts): void {
  checkPageRoute(api, parts)
  checkPagesRoute(api, parts)
  explainPageRoute(api, parts)
}

function checkPageRoute(api: Api, parts: CheckParts): void {
  api.post(
    '/member-content/check',
    {
      config: check,
      schema: {
        operationId: 'checkPage',
        summary: 'Check whether a page may be seen',
        description: [
          'The URL is decoded once; dot segments and double slashes are resolved. Encoded slashes, encoded dot segments, backslashes, control characters and broken escapes answer `invalid_url`.',
          'Without a member the visitor is anonymous. With a token it is the member of the token. A public key cannot name a member.',
          'Free views are counted for each member, rule and calendar month (UTC). A path that was counted is free for the rest of the month. An anonymous visitor has no free views.',
          'A page that no rule matches is `public`.',
        ].join(' '),
        body: Check,
        response: { 200: envelope(Decision) },
      },
    },
    async (request) => checkPage(request, parts, request.body),
  )
}

function checkPagesRoute(api: Api, parts: CheckParts): void {
  api.post(
    '/member-content/check/batch',
    {
      config: check,
      schema: {
        operationId: 'checkPages',
        sdk: 'memberContent.checkBatch',
        summary: 'Check many pages at once',
        description:
          'At most 100 checks. Each works like a single check. The answers are in the order of the checks.',
        body: CheckBatch,
        response: { 200: Decisions },
      },
    },
    async (request) => checkPages(request, parts, request.body.checks),
  )
}

function explainPageRoute(api: Api, parts: CheckParts): void {
  api.post(
    '/member-content/explain',
    {
      config: { access: { secret: 'read:content' }, errors },
      schema: {
        operationId: 'explainPage',
        summary: 'Explain whether a page may be seen',
        description:
          'The answer has the active rules that match the page, at most 1,000, the deciding rule first, and the decision of each rule. Free views are neither counted nor considered.',
        body: Explain,
        response: { 200: envelope(Explanation) },
      },
    },
    async (request) => {
      const { url, member_id: id } = request.body
      const visitor = await memberFactsOf(request, whoMayAct(request, { field: 'member_id', id }))
      const { projectId } = callerOf(request)
      const compiled = await parts.rules.of(projectId, request)
      return explain(compiled, url, visitor, parts.turns.begin({ projectId }))
    },
  )
}
