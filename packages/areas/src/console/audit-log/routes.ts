import { Type } from 'typebox'
import { auditOf } from '#areas/projects/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { consoleProjectOf } from '#platform/http/server/console-request.ts'
import { toId } from '#platform/ids.ts'
import { ByProject } from '../schema.ts'

const State = Type.Unsafe<unknown>({ description: 'Ids and settings', examples: [{ role: 'admin' }] })
const AuditedAct = Type.Object(
  {
    at: Timestamp(),
    environment: nullable(
      oneOf(['live', 'test'], { description: 'Null for what concerns the whole project' }),
    ),
    actor_kind: Type.String({
      description: 'The kind of credential: `operator`, `secret_key`, `public_key`, `member` or `system`',
      examples: ['operator'],
    }),
    actor_id: nullable(
      Type.String({
        description: 'The actor; null for a command',
        examples: ['op_01jcq3k8f7e8qtk4m3hbw7rn2d'],
      }),
    ),
    ip: nullable(Type.String({ description: 'The address it came from', examples: ['192.0.2.1'] })),
    action: Type.String({ description: 'The act', examples: ['team.role'] }),
    target: nullable(
      Type.String({
        description: 'The changed resource; null for the project itself',
        examples: ['op_01jcq3k8f7e8qtk4m3hbw7rn2e'],
      }),
    ),
    reason: nullable(Type.String({ description: 'The reason that was given', examples: ['Asked by mail'] })),
    before: State,
    after: State,
  },
  { title: 'AuditedAct' },
)

const AuditQuery = strict({
  since: Type.Optional(Timestamp({ description: 'Acts after this time' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: 'The most acts in the answer' }),
  ),
})

export function auditRoutes(api: Api, { operators }: AreaDeps): void {
  api.get(
    '/projects/:id/audit-log',
    {
      config: { access: { operator: 'admin' } },
      schema: {
        tags: ['Audit log'],
        operationId: 'listAuditLog',
        summary: 'List what was done with a project and in it',
        description: 'The newest comes first. Entries are written in the transaction of the change.',
        params: ByProject,
        querystring: AuditQuery,
        response: { 200: envelope(Type.Array(AuditedAct)) },
      },
    },
    async (request) => {
      const { since, limit = 100 } = request.query
      return auditOf(operators, toId('project', consoleProjectOf(request).id), { since, limit })
    },
  )
}
