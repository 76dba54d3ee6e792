import { audit } from '#platform/audit.ts'
import { limitReached } from '#platform/define-error.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged } from '#platform/http/etag.ts'
import { toId } from '#platform/ids.ts'
import { goalId } from '../ids.ts'
import { deleteGoal, getGoal, listGoals, patchGoal } from './queries.ts'
import { ById, Goal, GoalChanges, ListQuery, NewGoal } from './schema.ts'
import { createGoal, updateGoal } from './service.ts'

const goalTag = patchGoal.tag
const read = { access: { secret: 'read:analytics' } } as const
const write = { access: { secret: 'write:analytics' } } as const

/** What a site wants its visitors to reach. */
export function goalRoutes(api: Api): void {
  listGoalsRoute(api)
  createGoalRoute(api)
  getGoalRoute(api)
  updateGoalRoute(api)
  deleteGoalRoute(api)
}

function listGoalsRoute(api: Api): void {
  api.get(
    '/analytics/goals',
    {
      config: read,
      schema: {
        operationId: 'listGoals',
        summary: 'List goals',
        description: 'The newest goal comes first.',
        querystring: ListQuery,
        response: { 200: listEnvelope(Goal) },
      },
    },
    async (request) => {
      const { goals } = await request.read({ goals: listGoals(request.query) })
      return goals
    },
  )
}

function createGoalRoute(api: Api): void {
  api.post(
    '/analytics/goals',
    {
      config: {
        oneTransaction: true,
        ...write,
        etag: goalTag,
        errors: [limitReached],
      },
      schema: {
        operationId: 'createGoal',
        summary: 'Create a goal',
        description:
          'A goal counts events with a name, or page views whose path matches a pattern. Events before the creation of the goal count too. Stats and breakdowns show the conversions of the goal.',
        body: NewGoal,
        response: { 201: envelope(Goal) },
      },
    },
    async (request) => {
      return request.write((ctx) => createGoal(ctx, request.body))
    },
  )
}

function getGoalRoute(api: Api): void {
  api.get(
    '/analytics/goals/:id',
    {
      config: { ...read, etag: goalTag },
      schema: {
        operationId: 'getGoal',
        summary: 'Get a goal',
        params: ById,
        response: { 200: envelope(Goal) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { goal } = await request.read({ goal: getGoal({ id }) })
      return goal
    },
  )
}

function updateGoalRoute(api: Api): void {
  api.patch(
    '/analytics/goals/:id',
    {
      config: { ...write, etag: goalTag },
      schema: {
        operationId: 'updateGoal',
        summary: 'Change a goal',
        description: 'The changed goal counts past events too.',
        params: ById,
        body: GoalChanges,
        response: { 200: envelope(Goal) },
      },
    },
    async (request) => {
      const { id } = request.params
      const patch = { id, changes: request.body, ifMatch: request.ifMatch }
      return request.write((ctx) => updateGoal(ctx, patch))
    },
  )
}

function deleteGoalRoute(api: Api): void {
  api.delete(
    '/analytics/goals/:id',
    {
      config: { ...write, etag: goalTag },
      schema: {
        operationId: 'deleteGoal',
        summary: 'Delete a goal',
        description: 'The events that the goal counted are kept.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getGoal)
        const before = await deleteGoal(ctx, { id })
        audit(ctx, { action: 'goal.delete', target: toId(goalId, id), before })
      })
      return deleted(goalId, id)
    },
  )
}
