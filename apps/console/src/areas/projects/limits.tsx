import { useQueryClient } from '@tanstack/react-query'
import { callConsole, type Environment, type Project } from '../../data/console-api.ts'
import type { FormOperation } from '../../data/form-fields.ts'
import { meQuery, projectsQuery } from '../../data/keys.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { SchemaForm } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { useOfProject } from './queries.ts'

/** PATCH /console/api/projects/{id}/limits, which only administrators of the installation may. */
const LIMITS: FormOperation = {
  name: 'console.projects.limits',
  address: 'PATCH /projects/{project}/limits',
  summary: 'Set what a project may use',
  fields: [
    {
      ...{ name: 'tier', type: 'text', required: true },
      words: ['free', 'pro', 'business', 'enterprise'],
    },
    { name: 'rate_limit', type: 'integer', min: 1, nullable: true },
    { name: 'storage_quota', type: 'integer', min: 0, nullable: true },
  ],
}

interface SideLimits {
  readonly environment: Environment
  readonly tier: string
  readonly rate_limit: number | null
  readonly storage_quota: number | null
}

/** What the present side of the project may use. An empty field is as the tier says. */
export function Limits({ row: { id } }: { readonly row: Project }) {
  const { side } = useProject()
  const { data, error, refetch } = useOfProject<readonly SideLimits[]>('limits')
  const limits = data?.find(({ environment }) => environment === side)
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  if (limits === undefined) return <p role="status">{t('Loading …')}</p>
  return <LimitsForm key={`${id} ${side}`} id={id} limits={limits} />
}

function LimitsForm({ id, limits }: { readonly id: string; readonly limits: SideLimits }) {
  const queries = useQueryClient()
  const form = useSchemaForm<object>({
    operation: LIMITS,
    of: `${id} ${limits.environment}`,
    read: { value: limits },
    send: (body) =>
      callConsole('PATCH', `/projects/${id}/limits`, { body: { ...body, environment: limits.environment } }),
    onDone: () =>
      Promise.all([
        queries.invalidateQueries(projectsQuery),
        queries.invalidateQueries({ queryKey: [id, 'limits'] }),
      ]),
  })
  return (
    <SchemaForm
      form={form}
      labels={{
        tier: t('Tier'),
        rate_limit: t('Requests a minute of each key'),
        storage_quota: t('Bytes of files'),
      }}
      descriptions={{
        tier: t('For both sides.'),
        rate_limit: t('For this side. Empty: as the tier says.'),
        storage_quota: t('For this side. Empty: as the tier says.'),
      }}
    />
  )
}

/** PATCH /console/api/projects/{id}/security, which owners may. */
const SECURITY: FormOperation = {
  name: 'console.projects.security',
  address: 'PATCH /projects/{project}/security',
  summary: 'Set when idle operators are logged out',
  fields: [{ name: 'idle_minutes', type: 'integer', min: 5, max: 1_440, nullable: true }],
}

/** After how long operators of the project who do nothing are logged out. */
export function IdleMinutes({ row: { id, idle_minutes } }: { readonly row: Project }) {
  const queries = useQueryClient()
  const form = useSchemaForm<object>({
    operation: SECURITY,
    of: id,
    read: { value: { idle_minutes } },
    send: (body) => callConsole('PATCH', `/projects/${id}/security`, { body }),
    onDone: () => Promise.all([queries.invalidateQueries(projectsQuery), queries.invalidateQueries(meQuery)]),
  })
  return (
    <SchemaForm
      form={form}
      labels={{ idle_minutes: t('Minutes after which they are logged out') }}
      descriptions={{ idle_minutes: t('From 5 to 1440; empty: never. They are warned a minute before.') }}
    />
  )
}
