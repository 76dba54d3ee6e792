import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { TIERS } from '#platform/keys/rate-limits.ts'
import { OPERATOR_ROLES } from '#platform/operators/operators-project.ts'
import { ProjectId } from '../schema.ts'

export const Role = oneOf(OPERATOR_ROLES, {
  description:
    'The role of the operator in the project: a `viewer` reads all but secrets, an `admin` changes all data, an `owner` also changes the team and deletes the project',
  examples: ['admin'],
})
export const Environment = oneOf(['live', 'test'], {
  description: 'The side of the project',
  examples: ['test'],
})

const Name = Type.String({ minLength: 1, maxLength: 120, examples: ['Analytical Engines'] })

const IdleMinutes = Type.Integer({
  minimum: 5,
  maximum: 1_440,
  description: 'Minutes after which operators who do nothing are logged out; null: never',
  examples: [30],
})

export const ConsoleProject = Type.Object(
  {
    id: ProjectId,
    name: Name,
    tier: oneOf(TIERS, { description: 'The tier decides the limits', examples: ['pro'] }),
    rate_limit: Type.Integer({ description: 'Requests per minute of each key', examples: [300] }),
    live_audience: Type.String({
      description: 'The `aud` of access tokens of members on the live side',
      examples: ['proj_01jcq3k8f7e8qtk4m3hbw7rn2c'],
    }),
    test_audience: Type.String({
      description: 'The `aud` of access tokens of members on the test side',
      examples: ['proj_01jcq3k8f7e8qtk4m3hbw7rn2d'],
    }),
    state: oneOf(['active', 'suspended', 'deleted', 'moved'], {
      description:
        'A suspended project answers 403; a deleted one can be restored for some days; one that has moved lives in another installation',
      examples: ['active'],
    }),
    idle_minutes: nullable(IdleMinutes),
    created_at: Timestamp(),
    role: nullable(Role),
  },
  { title: 'ConsoleProject' },
)
export type ConsoleProject = Static<typeof ConsoleProject>

export const NewConsoleProject = strict({ name: Name }, { title: 'NewConsoleProject' })
export const ConsoleProjectChanges = strict({ name: Type.Optional(Name) }, { title: 'ConsoleProjectChanges' })

export const SecurityChanges = strict(
  { idle_minutes: nullable(IdleMinutes) },
  { title: 'ProjectSecurityChanges' },
)

export const ProjectsQuery = strict({
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 120, description: 'A part of the name' })),
  cursor: Type.Optional(Type.String({ maxLength: 100, description: 'The `next_cursor` of the page before' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Projects per page' }),
  ),
})

export const TokenRequest = strict({ environment: Environment }, { title: 'OperatorTokenRequest' })
export const OperatorTokenShown = Type.Object(
  {
    access_token: Type.String({
      description: 'A token for `/api/v1`: send it as `Authorization: Bearer`',
      examples: ['eyJhbGciOiJFUzI1NiJ9…'],
    }),
    token_type: Type.Literal('Bearer'),
    environment: Environment,
    role: Role,
    expires_in: Type.Integer({ description: 'How many seconds the token is valid', examples: [600] }),
  },
  { title: 'OperatorToken' },
)
