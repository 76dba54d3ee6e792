import { type Static, Type } from 'typebox'
import { bulkRequest, bulkResult } from '#platform/http/bulk.ts'
import { oneOf, strict } from '#platform/http/envelope.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { DELETE_MODES, MemberChanges } from '../schema.ts'

const BulkOperation = strict(
  {
    action: oneOf(['update', 'delete', 'invite'], {
      description:
        '`invite` sends a member who has never logged in and has no password the mail of the invitation again, with a new link, or a first one',
    }),
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

const MOST_MEMBERS = 1000
export const BulkRequest = bulkRequest(BulkOperation, 'BulkRequest', MOST_MEMBERS)
export const BulkResult = bulkResult(MemberId, 'BulkResult')
