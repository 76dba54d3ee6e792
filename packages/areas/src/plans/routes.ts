import { limitReached } from '#platform/define-error.ts'
import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged, defineTag } from '#platform/http/etag.ts'
import { credentialOf } from '#platform/http/viewer.ts'
import { planInUse, planIsDefault, planRequired, slugTaken } from './errors.ts'
import { getPlan, listPlans } from './queries.ts'
import { ById, ListQuery, NewPlan, Plan, PlanChanges } from './schema.ts'
import { archivePlan, createPlan, deletePlan, updatePlan } from './service.ts'

const planTag = defineTag('plans', PlanChanges)
const read = { access: { secret: 'read:plans', public: 'catalog' } } as const
const write = { access: { secret: 'write:plans' } } as const

/** What a public key may see. */
const PUBLISHED = { status: 'active', visibility: 'public' } as const

export function planRoutes(api: Api): void {
  listPlansRoute(api)
  createPlanRoute(api)
  getPlanRoute(api)
  updatePlanRoute(api)
  archivePlanRoute(api)
  deletePlanRoute(api)
}

function listPlansRoute(api: Api): void {
  api.get(
    '/plans',
    {
      config: read,
      schema: {
        operationId: 'listPlans',
        summary: 'List plans',
        description: 'A public key gets plans that are active and public.',
        querystring: ListQuery,
        response: { 200: listEnvelope(Plan) },
      },
    },
    async (request) => {
      const filter = !credentialOf(request).isKey ? { ...request.query, ...PUBLISHED } : request.query
      const { plans } = await request.read({ plans: listPlans(filter) })
      return plans
    },
  )
}

function createPlanRoute(api: Api): void {
  api.post(
    '/plans',
    {
      config: { oneTransaction: true, etag: planTag, ...write, errors: [slugTaken, limitReached] },
      schema: {
        operationId: 'createPlan',
        summary: 'Create a plan',
        description:
          'Without `slug`, the slug is made from the name. By default a plan is public and paid monthly in usd; a plan with price 0 is free.',
        body: NewPlan,
        response: { 201: envelope(Plan) },
      },
    },
    async (request) => {
      return request.write((ctx) => createPlan(ctx, request.body))
    },
  )
}

function getPlanRoute(api: Api): void {
  api.get(
    '/plans/:id',
    {
      config: { ...read, etag: planTag },
      schema: {
        operationId: 'getPlan',
        summary: 'Get a plan',
        description:
          'The answer has the price for new members, and the number of members on the plan at every price.',
        params: ById,
        response: { 200: envelope(Plan) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { plan } = await request.read({ plan: getPlan({ id }) })
      const published = plan.status === PUBLISHED.status && plan.visibility === PUBLISHED.visibility
      if (!credentialOf(request).isKey && !published) throw notFound('Plan')
      return plan
    },
  )
}

function updatePlanRoute(api: Api): void {
  api.patch(
    '/plans/:id',
    {
      config: { etag: planTag, ...write, errors: [slugTaken, planIsDefault] },
      schema: {
        operationId: 'updatePlan',
        summary: 'Change a plan',
        description:
          'A new price, currency or interval makes a new version of the plan. Members stay on the version on which they joined.',
        params: ById,
        body: PlanChanges,
        response: { 200: envelope(Plan) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getPlan)
        return updatePlan(ctx, id, request.body)
      })
    },
  )
}

function archivePlanRoute(api: Api): void {
  api.post(
    '/plans/:id/archive',
    {
      config: { oneTransaction: true, etag: planTag, ...write, errors: [planIsDefault] },
      schema: {
        operationId: 'archivePlan',
        summary: 'Archive a plan',
        description: 'No new members can join the plan. Members who are on it stay.',
        params: ById,
        response: { 200: envelope(Plan) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => archivePlan(ctx, id))
    },
  )
}

function deletePlanRoute(api: Api): void {
  api.delete(
    '/plans/:id',
    {
      config: {
        etag: planTag,
        ...write,
        errors: [planIsDefault, planInUse, planRequired],
      },
      schema: {
        operationId: 'deletePlan',
        summary: 'Delete a plan',
        description: 'A plan can be deleted if no member was ever on it. Otherwise archive it.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getPlan)
        await deletePlan(ctx, id)
      })
      return deleted('plan', id)
    },
  )
}
