import { type Static, Type } from 'typebox'
import { strict } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'

export const ListQuery = strict({
  ...pageParameters,
  parent_id: Type.Optional(
    Type.String({ maxLength: 80, description: 'Lists the replies of this comment, not the upper level' }),
  ),
})
export type ListQuery = Static<typeof ListQuery>
