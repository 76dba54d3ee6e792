import { type Static, Type } from 'typebox'
import { strict } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'

export const ListQuery = strict({
  ...pageParameters,
  parent_id: Type.Optional(
    Type.String({ maxLength: 80, description: 'Replies to this comment in place of the upper level' }),
  ),
})
export type ListQuery = Static<typeof ListQuery>
