import { type Static, Type } from 'typebox'
import { oneOf, strict } from '#platform/http/envelope.ts'
import { includeParameter } from '#platform/http/include.ts'
import { createdParameters, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters } from '#platform/http/page.ts'
import { INCLUDES, MEMBER_STATUSES, PlanId, Role } from '../schema.ts'

const filters = {
  status: Type.Optional(oneOf(MEMBER_STATUSES, { description: 'Only members with this status' })),
  search: searchIn('the address or the name'),
}

export const ExportQuery = strict({
  ...filters,
  bom: Type.Optional(
    Type.Boolean({
      description: 'True starts the file with a byte order mark, which some programs need to detect UTF-8',
    }),
  ),
})
export type ExportQuery = Omit<Static<typeof ExportQuery>, 'bom'>

/** The most ids that a list is filtered by: a page of another list has no more members. */
const MOST_IDS = 100
const ONE_ID = 'mem_[0-9a-z]{26}'

/** Any number of conditions on metadata, each by the name of its key. */
const METADATA_FILTER = /^metadata\./

export const ListQuery = Type.Object(
  {
    ...pageParameters,
    ...filters,
    ids: Type.Optional(
      Type.String({
        pattern: `^${ONE_ID}(?:,${ONE_ID}){0,${MOST_IDS - 1}}$`,
        description: `Only these members: ids separated by commas, at most ${MOST_IDS}. Unknown ones are left out`,
        examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
      }),
    ),
    plan_id: Type.Optional({ ...PlanId, description: 'Only members on this plan' }),
    role: Type.Optional({ ...Role, description: 'Only members with this role' }),
    'metadata.{key}': Type.Optional(
      Type.String({
        maxLength: 1_000,
        description:
          'Only members whose metadata has this value under this key, such as `metadata.company=Example Ltd`. Several such parameters must all match',
      }),
    ),
    updated_since: Type.Optional(
      Type.String({
        format: 'date-or-time',
        description: 'Only members that were created or changed at this time or later',
        examples: ['2026-11-21T09:00:00Z'],
      }),
    ),
    deleted: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True lists only deleted members that can still be restored',
      }),
    ),
    include: includeParameter(INCLUDES),
    ...createdParameters,
    ...sortParameters(['created_at', 'email', 'full_name']),
  },
  {
    additionalProperties: false,
    patternProperties: { [METADATA_FILTER.source]: Type.String({ maxLength: 1_000 }) },
  },
)
export type ListQuery = Static<typeof ListQuery>
