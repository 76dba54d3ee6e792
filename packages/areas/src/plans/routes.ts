import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope, ok } from '#platform/http/envelope.ts'
import { pageOf } from '#platform/http/page.ts'
import { idFromPath } from '#platform/ids.ts'
import { getPlan, listPlans } from './queries.ts'
import { toPlan } from './rows.ts'
import { ById, ListQuery, NewPlan, Plan, PlanChanges } from './schema.ts'
import { changePlan, createPlan, removePlan, retirePlan } from './service.ts'

const tags = ['Plans']
const read = { access: { secret: 'read:plans', public: 'catalog' } } as const
const write = { access: { secret: 'write:plans' } } as const

/** What a public key may see. */
const PUBLISHED = { status: 'active', visibility: 'public' } as const

export function planRoutes(api: Api): void {
  api.get(
    '/plans',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listPlans',
        summary: 'List plans',
        querystring: ListQuery,
        response: { 200: listEnvelope(Plan) },
      },
    },
    async (request) => {
      const filter = request.key?.type === 'public' ? { ...request.query, ...PUBLISHED } : request.query
      const { plans, total } = await request.inProject((ctx) => listPlans(ctx, filter))
      return pageOf(filter, total, plans.map(toPlan))
    },
  )

  api.post(
    '/plans',
    {
      config: write,
      schema: {
        tags,
        operationId: 'createPlan',
        summary: 'Create a plan',
        body: NewPlan,
        response: { 201: envelope(Plan) },
      },
    },
    async (request, reply) => {
      const plan = await request.inProject((ctx) => createPlan(ctx, request.body))
      return reply.code(201).send(ok(plan))
    },
  )

  api.get(
    '/plans/:id',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getPlan',
        summary: 'Get a plan',
        params: ById,
        response: { 200: envelope(Plan) },
      },
    },
    async (request) => {
      const id = idFromPath('plan', request.params.id)
      const plan = toPlan(await request.inProject((ctx) => getPlan(ctx, id)))
      const published = plan.status === PUBLISHED.status && plan.visibility === PUBLISHED.visibility
      if (request.key?.type === 'public' && !published) throw notFound('Plan')
      return ok(plan)
    },
  )

  api.patch(
    '/plans/:id',
    {
      config: write,
      schema: {
        tags,
        operationId: 'updatePlan',
        summary: 'Change a plan',
        description:
          'A change of price, currency or interval makes a new version: members stay on the one they came in on.',
        params: ById,
        body: PlanChanges,
        response: { 200: envelope(Plan) },
      },
    },
    async (request) => {
      const id = idFromPath('plan', request.params.id)
      return ok(await request.inProject((ctx) => changePlan(ctx, id, request.body)))
    },
  )

  api.post(
    '/plans/:id/archive',
    {
      config: write,
      schema: {
        tags,
        operationId: 'archivePlan',
        summary: 'Archive a plan',
        description: 'It takes no new members; those on it stay.',
        params: ById,
        response: { 200: envelope(Plan) },
      },
    },
    async (request) => {
      const id = idFromPath('plan', request.params.id)
      return ok(await request.inProject((ctx) => retirePlan(ctx, id)))
    },
  )

  api.delete(
    '/plans/:id',
    {
      config: write,
      schema: {
        tags,
        operationId: 'deletePlan',
        summary: 'Delete a plan',
        description: 'Possible while no member was ever on it; archive it otherwise.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const id = idFromPath('plan', request.params.id)
      await request.inProject((ctx) => removePlan(ctx, id))
      return deleted(request.params.id)
    },
  )
}
