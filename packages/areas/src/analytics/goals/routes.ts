import type { Context } from '#platform/db/tenant.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope, ok } from '#platform/http/envelope.ts'
import { defineTag, ifUnchanged } from '#platform/http/etag.ts'
import { listed } from '#platform/http/page.ts'
import { idFromPath } from '#platform/ids.ts'
import { goalLimit } from '../errors.ts'
import { goalId } from '../ids.ts'
import { getGoal, listGoals } from './queries.ts'
import { ById, Goal, GoalChanges, ListQuery, NewGoal } from './schema.ts'
import { createGoal, deleteGoal, toGoal, updateGoal } from './service.ts'

const tags = ['Analytics']
const goalTag = defineTag('analytics_goals', GoalChanges)
const read = { access: { secret: 'read:analytics' } } as const
const write = { access: { secret: 'write:analytics' } } as const

const current = (ctx: Context, id: string) => ({ id, read: () => getGoal(ctx, id).map(toGoal) })

/** What a site wants its visitors to reach. */
export function goalRoutes(api: Api): void {
  api.get(
    '/analytics/goals',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listGoals',
        summary: 'List goals',
        description: 'The newest goal comes first.',
        querystring: ListQuery,
        response: { 200: listEnvelope(Goal) },
      },
    },
    async (request) => listed(await request.inProject((ctx) => listGoals(ctx, request.query)), toGoal),
  )

  api.post(
    '/analytics/goals',
    {
      config: {
        oneTransaction: true,
        ...write,
        etag: goalTag,
        errors: [goalLimit],
      },
      schema: {
        tags,
        operationId: 'createGoal',
        summary: 'Create a goal',
        description:
          'A goal counts events with a name, or page views whose path matches a pattern. Events before the creation of the goal count too. Stats and breakdowns show the conversions of the goal.',
        body: NewGoal,
        response: { 201: envelope(Goal) },
      },
    },
    async (request, reply) => {
      const goal = await request.inProject((ctx) => createGoal(ctx, request.body))
      return reply.code(201).send(ok(goal))
    },
  )

  api.get(
    '/analytics/goals/:id',
    {
      config: { ...read, etag: goalTag },
      schema: {
        tags,
        operationId: 'getGoal',
        summary: 'Get a goal',
        params: ById,
        response: { 200: envelope(Goal) },
      },
    },
    async (request) => {
      const id = idFromPath(goalId, request.params.id)
      return ok(toGoal(await request.inProject((ctx) => getGoal(ctx, id))))
    },
  )

  api.patch(
    '/analytics/goals/:id',
    {
      config: { ...write, etag: goalTag },
      schema: {
        tags,
        operationId: 'updateGoal',
        summary: 'Change a goal',
        description: 'The changed goal counts past events too.',
        params: ById,
        body: GoalChanges,
        response: { 200: envelope(Goal) },
      },
    },
    async (request) => {
      const id = idFromPath(goalId, request.params.id)
      return ok(
        await request.inProject((ctx) =>
          ifUnchanged(ctx, request, current(ctx, id), () => updateGoal(ctx, id, request.body)),
        ),
      )
    },
  )

  api.delete(
    '/analytics/goals/:id',
    {
      config: { ...write, etag: goalTag },
      schema: {
        tags,
        operationId: 'deleteGoal',
        summary: 'Delete a goal',
        description: 'The events that the goal counted are kept.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const id = idFromPath(goalId, request.params.id)
      await request.inProject((ctx) => ifUnchanged(ctx, request, current(ctx, id), () => deleteGoal(ctx, id)))
      return deleted(request.params.id)
    },
  )
}
