import { type Static, Type } from 'typebox'
import { bulkResult } from '#platform/http/bulk.ts'
import { oneOf, strict } from '#platform/http/envelope.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { DELETE_MODES, MemberChanges } from '../schema.ts'

const BulkOperation = strict(
  {
    action: oneOf(['update', 'delete']),
    id: MemberId,
    changes: Type.Optional(MemberChanges),
    // It has no default, because a default would also be set by updates.
    mode: Type.Optional(
      oneOf(DELETE_MODES, { description: 'Only for the action `delete`. Default: `soft`' }),
    ),
  },
  {
    title: 'BulkOperation',
    description: '`update` needs `changes`; `delete` can have `mode`',
    examples: [{ action: 'update', id: 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d', changes: { status: 'inactive' } }],
  },
)
export type BulkOperation = Static<typeof BulkOperation>

export const BulkRequest = strict(
  { operations: Type.Array(BulkOperation, { minItems: 1, maxItems: 1000 }) },
  { title: 'BulkRequest' },
)
export const BulkResult = bulkResult(MemberId, 'BulkResult')
