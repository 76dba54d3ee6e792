import type { FastifyRequest } from 'fastify'
import type { Context } from '#platform/db/tenant.ts'
import { limitReached } from '#platform/define-error.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged } from '#platform/http/etag.ts'
import type { RuleStore } from '../checks/rule-store.ts'
import { ruleId } from '../ids.ts'
import { ById, CreatedRule, FullRule, ListQuery, NewRule, RuleChanges } from '../schema.ts'
import { getRule, listRules, patchRule } from './queries.ts'
import { createRule, deleteRule, updateRule } from './service.ts'

const ruleTag = patchRule.tag
const read = { access: { secret: 'read:content' } } as const
const write = { access: { secret: 'write:content' } } as const

export function ruleRoutes(api: Api, store: RuleStore): void {
  listProtectionRulesRoute(api)
  createProtectionRuleRoute(api, store)
  getProtectionRuleRoute(api)
  updateProtectionRuleRoute(api, store)
  deleteProtectionRuleRoute(api, store)
}

function listProtectionRulesRoute(api: Api): void {
  api.get(
    '/member-content',
    {
      config: read,
      schema: {
        operationId: 'listProtectionRules',
        summary: 'List rules',
        description: 'The newest rule comes first.',
        querystring: ListQuery,
        response: { 200: listEnvelope(FullRule) },
      },
    },
    async (request) => {
      const { rules } = await request.read({ rules: listRules(request.query) })
      return rules
    },
  )
}

function createProtectionRuleRoute(api: Api, store: RuleStore): void {
  api.post(
    '/member-content',
    {
      config: { ...write, errors: [limitReached] },
      schema: {
        operationId: 'createProtectionRule',
        summary: 'Create a rule',
        description: [
          'A pattern with a host protects pages of that host on every port. A pattern without a host protects pages of every host.',
          'Query and fragment are ignored. Upper and lower case differ. A trailing slash makes no difference, and `;` is an ordinary character.',
          'If several rules match a page, only one decides: first a rule without wildcards; then the rule with the longest path before its first wildcard; then a rule with a host; then the newest rule.',
        ].join(' '),
        body: NewRule,
        response: { 201: CreatedRule },
      },
    },
    async (request) => {
      const {
        features: _,
        after_days,
        free_views,
        updated_at,
        ...content
      } = await change(store, request, (ctx) => createRule(ctx, request.body))
      return { content }
    },
  )
}

function getProtectionRuleRoute(api: Api): void {
  api.get(
    '/member-content/:id',
    {
      config: { ...read, etag: ruleTag },
      schema: {
        operationId: 'getProtectionRule',
        summary: 'Get a rule',
        params: ById,
        response: { 200: envelope(FullRule) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { rule } = await request.read({ rule: getRule({ id }) })
      return rule
    },
  )
}

function updateProtectionRuleRoute(api: Api, store: RuleStore): void {
  api.patch(
    '/member-content/:id',
    {
      config: { ...write, etag: ruleTag },
      schema: {
        operationId: 'updateProtectionRule',
        summary: 'Change a rule',
        description: 'The change takes effect everywhere within a second.',
        params: ById,
        body: RuleChanges,
        response: { 200: envelope(FullRule) },
      },
    },
    async (request) => {
      const { id } = request.params
      return change(store, request, async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getRule)
        return updateRule(ctx, id, request.body)
      })
    },
  )
}

function deleteProtectionRuleRoute(api: Api, store: RuleStore): void {
  api.delete(
    '/member-content/:id',
    {
      config: { ...write, etag: ruleTag },
      schema: {
        operationId: 'deleteProtectionRule',
        summary: 'Delete a rule',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await change(store, request, async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getRule)
        await deleteRule(ctx, id)
      })
      return deleted(ruleId, id)
    },
  )
}

/** Changes rules; once that is committed, this process answers by the change. */
async function change<T>(
  store: RuleStore,
  request: FastifyRequest,
  work: (ctx: Context) => PromiseLike<T>,
): Promise<T> {
  const changed = await request.write(work)
  store.forget(callerOf(request).projectId)
  return changed
}
