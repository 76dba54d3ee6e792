import { sql } from 'kysely'
import type { Static } from 'typebox'
import { defineList } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { query } from '#platform/db/statement.ts'
import { toId } from '#platform/ids.ts'
import { moveId } from '../../ids.ts'
import type { Move } from '../schema.ts'
import type { Status } from './state.ts'

interface NamedPlan {
  readonly id: string
  readonly name: string
}
const planOf = (column: string) => sql<NamedPlan | null>`(
  select json_build_object('id', p.id, 'name', p.name) from plans p where p.id = ${sql.ref(column)})`

const rows = () =>
  query
    .selectFrom('subscription_moves as m')
    .select([
      ...(['m.id', 'm.event', 'm.from_status', 'm.to_status', 'm.takes_effect'] as const),
      ...(['m.actor_kind', 'm.reason', 'm.occurred_at'] as const),
    ])
    .select([planOf('m.from_plan_id').as('from_plan'), planOf('m.to_plan_id').as('to_plan')])

/** One page of the moves of a subscription, the newest first. */
export const listMoves = defineList({
  label: 'subscription_moves',
  rows,
  key: 'm.id',
  scope: { subscription_id: equals<string>('m.subscription_id') },
})

interface MoveRow {
  id: string
  event: string
  from_status: string | null
  to_status: string
  from_plan: NamedPlan | null
  to_plan: NamedPlan | null
  takes_effect: string | null
  actor_kind: string
  reason: string | null
  occurred_at: string
}

const named = (plan: NamedPlan | null) => (plan === null ? null : { ...plan, id: toId('plan', plan.id) })

export const toMove = (row: MoveRow): Static<typeof Move> => ({
  id: toId(moveId, row.id),
  event: row.event,
  from: row.from_status as Status | null,
  to: row.to_status as Status,
  from_plan: named(row.from_plan),
  to_plan: named(row.to_plan),
  takes_effect: row.takes_effect as 'now' | 'when_paid' | 'period_end' | null,
  by: row.actor_kind,
  reason: row.reason,
  occurred_at: row.occurred_at,
})
