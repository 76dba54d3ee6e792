import type { Static } from 'typebox'
import { defineList } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { query } from '#platform/db/statement.ts'
import { toId } from '#platform/ids.ts'
import { moveId } from '../../ids.ts'
import type { Move } from '../schema.ts'
import type { Status } from './state.ts'

const rows = () =>
  query
    .selectFrom('subscription_moves')
    .select(['id', 'event', 'from_status', 'to_status', 'actor_kind', 'reason', 'occurred_at'])

/** One page of the moves of a subscription, the newest first. */
export const listMoves = defineList({
  label: 'subscription_moves',
  rows,
  key: 'id',
  scope: { subscription_id: equals<string>('subscription_id') },
})

interface MoveRow {
  id: string
  event: string
  from_status: string | null
  to_status: string
  actor_kind: string
  reason: string | null
  occurred_at: string
}

export const toMove = (row: MoveRow): Static<typeof Move> => ({
  id: toId(moveId, row.id),
  event: row.event,
  from: row.from_status as Status | null,
  to: row.to_status as Status,
  by: row.actor_kind,
  reason: row.reason,
  occurred_at: row.occurred_at,
})
