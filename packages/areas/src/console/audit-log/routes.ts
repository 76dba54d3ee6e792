import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { listOperators } from '#areas/auth/service.ts'
import { auditOf } from '#areas/projects/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { invalidId } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { dateRange } from '#platform/http/date-range.ts'
import { listEnvelope, nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { datesWhen, sortParameters } from '#platform/http/list-parameters.ts'
import { consoleProjectOf } from '#platform/http/server/console-request.ts'
import { parseId, toId } from '#platform/ids.ts'
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
    actor_name: nullable(
      Type.String({
        description: 'The name of an operator who acted, else the email address',
        examples: ['Ada Lovelace'],
      }),
    ),
    reason: nullable(Type.String({ description: 'The reason that was given', examples: ['Asked by mail'] })),
    before: State,
    after: State,
  },
  { title: 'AuditedAct' },
)

const Text = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description, examples: [example] }))
const AuditQuery = strict({
  ...datesWhen('were done'),
  ...sortParameters(['at']),
  actor_id: Text('Acts of this operator, key or member', 'op_01jcq3k8f7e8qtk4m3hbw7rn2d'),
  action: Text('Acts of this kind; `team.*` means all that begin with `team.`', 'team.role'),
  target: Text('Acts on the resource with this id', 'op_01jcq3k8f7e8qtk4m3hbw7rn2e'),
  cursor: Type.Optional(Type.String({ maxLength: 100, description: 'The `next_cursor` of the page before' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: 'The most acts in the answer' }),
  ),
})

export function auditRoutes(api: Api, deps: AreaDeps): void {
  listAuditLogRoute(api, deps)
}

function listAuditLogRoute(api: Api, { operators }: AreaDeps): void {
  api.get(
    '/projects/:id/audit-log',
    {
      config: { access: { operator: 'admin' } },
      schema: {
        tags: ['Audit log'],
        operationId: 'listAuditLog',
        summary: 'List what was done with a project and in it',
        description:
          'Entries are written in the transaction of the change. It is read on by `cursor`, and has no numbered pages.',
        params: ByProject,
        querystring: AuditQuery,
        response: { 200: listEnvelope(AuditedAct) },
      },
    },
    async (request) => {
      const {
        cursor,
        actor_id: actor,
        limit = 100,
        start_date,
        end_date,
        sort: _sort,
        ...filters
      } = request.query
      const after = cursor === undefined ? undefined : parseId('event', cursor)
      if (cursor !== undefined && after === undefined) throw invalidId('cursor')
      const asked = { ...filters, ...dateRange({ start_date, end_date }), actor, after, limit: limit + 1 }
      const acts = await auditOf(operators, toId('project', consoleProjectOf(request).id), asked)
      const shown = acts.slice(0, limit)
      const names = await namesOf(request, shown)
      const last = acts.length > limit ? shown.at(-1) : undefined
      return {
        rows: shown.map(({ id: _, ...act }) => ({
          ...act,
          actor_name: names.get(act.actor_id ?? '') ?? null,
        })),
        pagination: { limit, next_cursor: last === undefined ? null : toId('event', last.id) },
      }
    },
  )
}

/** Operators who acted, by their public ids. */
async function namesOf(
  request: FastifyRequest,
  acts: readonly { readonly actor_id: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(acts.flatMap(({ actor_id }) => parseId('operator', actor_id ?? '') ?? []))
  if (ids.size === 0) return new Map()
  const { found } = await request.read({ found: listOperators({ ids: [...ids] }) })
  return new Map(found.map(({ id, full_name, email }) => [id, full_name || email]))
}
