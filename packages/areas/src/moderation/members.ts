import { defineLookup } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

/** A member who is there: one who can be muted or suspended. @throws ApiError 404 */
export const getPresentMember = defineLookup('present_member', (v: { id: string }) =>
  query.selectFrom('members').select('id').where('id', '=', v.id).where('deleted_at', 'is', null),
).one('Member')
