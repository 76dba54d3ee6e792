import { type Static, Type } from 'typebox'
import { oneOf, strict } from '#platform/http/envelope.ts'
import { includeParameter } from '#platform/http/include.ts'
import { ORDERS, pageParameters } from '#platform/http/page.ts'
import { INCLUDES, MEMBER_STATUSES, PlanId, Role } from '../schema.ts'

const filters = {
  status: Type.Optional(oneOf(MEMBER_STATUSES, { description: 'Members with this status only' })),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Part of an email or a name, in upper or lower case',
    }),
  ),
}

export const ExportQuery = strict({
  ...filters,
  bom: Type.Optional(
    Type.Boolean({ description: 'Begin with a byte order mark, for programs that need one to see UTF-8' }),
  ),
})
export type ExportQuery = Omit<Static<typeof ExportQuery>, 'bom'>

/** Any number of conditions on metadata, each by the name of its key. */
const METADATA_FILTER = /^metadata\./

export const ListQuery = Type.Object(
  {
    ...pageParameters,
    ...filters,
    plan_id: Type.Optional({ ...PlanId, description: 'Members on this plan only' }),
    role: Type.Optional({ ...Role, description: 'Members with this role only' }),
    'metadata.{key}': Type.Optional(
      Type.String({
        maxLength: 1_000,
        description:
          'Members whose metadata has this value under the key, such as `metadata.company=Example Ltd`; of several, all',
      }),
    ),
    updated_since: Type.Optional(
      Type.String({
        format: 'date-or-time',
        description: 'Members that were created or changed at this time or later',
        examples: ['2026-11-21T09:00:00Z'],
      }),
    ),
    deleted: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True lists deleted members that can still be restored, and no others',
      }),
    ),
    include: includeParameter(INCLUDES),
    sort: oneOf(['created_at', 'email', 'full_name'], {
      default: 'created_at',
      description: 'What to sort by; equal ones by id',
    }),
    order: oneOf(ORDERS, { default: 'desc', description: 'In which direction' }),
  },
  {
    additionalProperties: false,
    patternProperties: { [METADATA_FILTER.source]: Type.String({ maxLength: 1_000 }) },
  },
)
export type ListQuery = Static<typeof ListQuery>
