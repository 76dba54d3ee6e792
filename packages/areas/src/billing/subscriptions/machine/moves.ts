import { type InferResult, sql } from 'kysely'
import type { Static } from 'typebox'
import { query } from '#platform/db/statement.ts'
import { toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { equals } from '#platform/lists/list-filters.ts'
import { moveId } from '../../ids.ts'
import type { Move } from '../schema.ts'
import type { Status } from './state.ts'

interface NamedPlan {
  readonly id: string
  readonly name: string
}
const planOf = (column: string) => sql<NamedPlan | null>`(
  select json_build_object('id', p.id, 'name', p.name) from plans p where p.id = ${sql.ref(column)})`

const moves = () =>
  query
    .selectFrom('subscription_moves as m')
    .select([
      ...(['m.id', 'm.event', 'm.from_status', 'm.to_status', 'm.takes_effect'] as const),
      ...(['m.actor_kind', 'm.reason', 'm.occurred_at'] as const),
    ])
    .select([planOf('m.from_plan_id').as('from_plan'), planOf('m.to_plan_id').as('to_plan')])
    .$narrowType<{
      from_status: Status | null
      to_status: Status
      takes_effect: 'now' | 'when_paid' | 'period_end' | null
    }>()

const named = (plan: NamedPlan | null) => (plan === null ? null : { ...plan, id: toId('plan', plan.id) })

/** A move as clients see it. */
const toMove = (row: InferResult<ReturnType<typeof moves>>[number]): Static<typeof Move> => ({
  id: toId(moveId, row.id),
  event: row.event,
  from: row.from_status,
  to: row.to_status,
  from_plan: named(row.from_plan),
  to_plan: named(row.to_plan),
  takes_effect: row.takes_effect,
  by: row.actor_kind,
  reason: row.reason,
  occurred_at: row.occurred_at,
})

/** One page of the moves of a subscription, the newest first. */
export const listMoves = defineList({
  label: 'subscription_moves',
  rows: moves,
  map: toMove,
  key: 'm.id',
  scope: { subscription_id: equals<string>('m.subscription_id') },
})
