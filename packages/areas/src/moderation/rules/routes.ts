import { audit } from '#platform/audit.ts'
import { mapAnswer } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import { limitReached } from '#platform/define-error.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { forbidden, invalidBody, invalidField } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged } from '#platform/http/etag.ts'
import { type Viewer, viewerOf } from '#platform/http/viewer.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import type { OutboundRules } from '#platform/outbound/address.ts'
import { checkOutboundUrl } from '#platform/outbound/outbound-url.ts'
import { hookBox } from '../hook/ask.ts'
import { replaceHookSecret } from '../hook/queries.ts'
import { ruleId } from '../ids.ts'
import { assertModerates } from '../suspensions/service.ts'
import { assertFits, assertStillFits, judge, linksIn, withTypedWords } from './judge.ts'
import {
  changeRule,
  countWords,
  getRule,
  insertRule,
  listRules,
  lockRules,
  removeRule,
  toNewRow,
} from './queries.ts'
import {
  ByRule,
  ListedRule,
  ListQuery,
  MOST_WORDS,
  NewRule,
  Rule,
  RuleChanges,
  TestedPost,
  Verdict,
} from './schema.ts'

const tags = ['Moderation']
const read = { access: { secret: 'read:community', user: 'self' } } as const
const write = { access: { secret: 'write:community', user: 'self' } } as const
const etag = changeRule.tag
const ONLY = 'Only for moderators and secret keys.'

/** @throws ApiError 422 LIMIT_REACHED, of all rules together */
async function assertWords(ctx: Context): Promise<void> {
  if ((await countWords(ctx)) > MOST_WORDS)
    throw limitReached(undefined, {
      message: `There can be at most ${MOST_WORDS} words of all moderation rules: remove one first`,
      limit: MOST_WORDS,
      what: 'words of all moderation rules',
    })
}

export function ruleRoutes(api: Api, deps: AreaDeps): void {
  listModerationRulesRoute(api)
  createModerationRuleRoute(api, deps)
  testModerationRulesRoute(api, deps)
  getModerationRuleRoute(api)
  updateModerationRuleRoute(api, deps)
  deleteModerationRuleRoute(api, deps)
}

function listModerationRulesRoute(api: Api): void {
  api.get(
    '/moderation/rules',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listModerationRules',
        summary: 'List moderation rules',
        description: `${ONLY} The newest rule comes first. A list has no words: \`GET /moderation/rules/{id}\` has them.`,
        querystring: ListQuery,
        response: { 200: listEnvelope(ListedRule) },
      },
    },
    async (request) => {
      const { page } = await request.read({
        team: mapAnswer(viewerOf(request), assertModerates),
        page: listRules(request.query),
      })
      return page
    },
  )
}

/**
 * The posts of all members go to the address of a hook: it is set by secret keys alone.
 * @throws ApiError 403; 422 for an address that must not be called
 */
function assertHook(viewer: Viewer, rules: OutboundRules, url: string | undefined): void {
  if (!viewer.isKey) throw forbidden('Only secret keys may set a moderation hook')
  const fault = url === undefined ? undefined : checkOutboundUrl(url, rules)
  if (fault) throw invalidBody([fault])
}

function createModerationRuleRoute(api: Api, { config: settings }: AreaDeps): void {
  const box = hookBox(settings)

  api.post(
    '/moderation/rules',
    {
      config: { ...write, oneTransaction: true, etag, errors: [limitReached] },
      schema: {
        tags,
        operationId: 'createModerationRule',
        summary: 'Create a moderation rule',
        description: `${ONLY} Rules judge discussions, public feedback and their comments, when they are written and when their text changes. Those of moderators and of the team are not judged. If several rules apply, one that refuses is stronger. A held post waits in the moderation queue, whose \`held_by\` says why. A project can have 100 rules, and one of them can be a hook, which only secret keys set.`,
        body: NewRule,
        response: { 201: envelope(Rule) },
      },
    },
    async (request) => {
      const { body } = request
      return request.write(async (ctx) => {
        const viewer = await viewerOf(ctx, request)
        assertModerates(viewer)
        assertFits(body.kind, body, true)
        assertStillFits(body)
        if (body.kind === 'hook') assertHook(viewer, settings, body.url)
        lockRules(ctx)
        const id = newUuid()
        const { secret } = body
        insertRule(ctx, toNewRow(id, body, secret === undefined ? null : box.seal(secret, id, ctx.projectId)))
        await assertWords(ctx)
        const made = await getRule(ctx, { id })
        audit(ctx, { action: 'moderation_rule.create', target: made.id, after: withoutWords(made) })
        return made
      })
    },
  )
}

function testModerationRulesRoute(api: Api, { markdown }: AreaDeps): void {
  api.post(
    '/moderation/rules/test',
    {
      config: read,
      schema: {
        tags,
        operationId: 'testModerationRules',
        summary: 'Test what the rules say about a text',
        description: `${ONLY} Nothing is stored. Without \`member_id\`, rules about authors do not apply.`,
        body: TestedPost,
        response: { 200: envelope(Verdict) },
      },
    },
    async (request) => {
      const { content, title, member_id } = request.body
      const author = member_id === undefined ? null : parseId('member', member_id)
      if (author === undefined) throw invalidField('member_id', 'exists', 'is not a member of this project')
      const { text, html } = await markdown.render(content, callerOf(request))
      return request.write(async (ctx) => {
        assertModerates(await viewerOf(ctx, request))
        const judged = await judge(ctx, { title, text, links: linksIn(html), author })
        return withTypedWords(ctx, judged.verdict)
      })
    },
  )
}

function getModerationRuleRoute(api: Api): void {
  api.get(
    '/moderation/rules/:id',
    {
      config: { ...read, etag },
      schema: {
        tags,
        operationId: 'getModerationRule',
        summary: 'Get a moderation rule',
        description: `${ONLY} The answer has the words of the rule.`,
        params: ByRule,
        response: { 200: envelope(Rule) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { rule } = await request.read({
        team: mapAnswer(viewerOf(request), assertModerates),
        rule: getRule({ id }),
      })
      return rule
    },
  )
}

function updateModerationRuleRoute(api: Api, { config: settings }: AreaDeps): void {
  const box = hookBox(settings)

  api.patch(
    '/moderation/rules/:id',
    {
      config: { ...write, etag, errors: [limitReached] },
      schema: {
        tags,
        operationId: 'updateModerationRule',
        summary: 'Change a moderation rule',
        description: `${ONLY} Only the fields that are sent change. The kind stays. The change counts for posts that are written from now on.`,
        params: ByRule,
        body: RuleChanges,
        response: { 200: envelope(Rule) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { ifMatch } = request
      const { secret, ...changes } = request.body
      return request.write(async (ctx) => {
        const viewer = await viewerOf(ctx, request)
        assertModerates(viewer)
        lockRules(ctx)
        const before = await getRule(ctx, { id })
        assertFits(before.kind, request.body, false)
        if (before.kind === 'hook') assertHook(viewer, settings, changes.url)
        const changed = await changeRule(ctx, { id, changes, ifMatch })
        if (secret !== undefined) replaceHookSecret(ctx, { id, secret: box.seal(secret, id, ctx.projectId) })
        assertStillFits(changed)
        await assertWords(ctx)
        if (Object.keys(request.body).length > 0)
          audit(ctx, {
            action: 'moderation_rule.update',
            target: changed.id,
            before: withoutWords(before),
            after: { ...withoutWords(changed), ...(secret !== undefined && { secret: 'replaced' }) },
          })
        return changed
      })
    },
  )
}

function deleteModerationRuleRoute(api: Api, { config: settings }: AreaDeps): void {
  api.delete(
    '/moderation/rules/:id',
    {
      config: { ...write, etag },
      schema: {
        tags,
        operationId: 'deleteModerationRule',
        summary: 'Delete a moderation rule',
        description: `${ONLY} Posts that it has held wait for a moderator as before.`,
        params: ByRule,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        const viewer = await viewerOf(ctx, request)
        assertModerates(viewer)
        await assertUnchanged(ctx, request, { id }, getRule)
        const before = await getRule(ctx, { id })
        if (before.kind === 'hook') assertHook(viewer, settings, undefined)
        await removeRule(ctx, { id })
        audit(ctx, {
          action: 'moderation_rule.delete',
          target: before.id,
          before: withoutWords(before),
        })
      })
      return deleted(ruleId, id)
    },
  )
}

/** What the audit log keeps: settings, no lists of words. */
const withoutWords = ({ words: _words, ...rule }: Rule): object => rule
