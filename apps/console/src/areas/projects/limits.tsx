import { useQueryClient } from '@tanstack/react-query'
import { callConsole, type Project } from '../../data/console-api.ts'
import type { FormOperation } from '../../data/form-fields.ts'
import { meQuery, projectsQuery } from '../../data/keys.ts'
import { t } from '../../data/words.ts'
import { SchemaForm } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'

/** PATCH /console/api/projects/{id}/limits, which only administrators of the installation may. */
const LIMITS: FormOperation = {
  name: 'console.projects.limits',
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

/** What the project may use. An empty field is as the tier says. */
export function Limits({ row: { id, tier } }: { readonly row: Project }) {
  const queries = useQueryClient()
  const form = useSchemaForm<object>({
    operation: LIMITS,
    of: id,
    read: { values: { tier, rate_limit: null, storage_quota: null } },
    send: (body) => callConsole('PATCH', `/projects/${id}/limits`, { body }),
    onDone: () => queries.invalidateQueries(projectsQuery),
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
        rate_limit: t('For both sides. What is left empty does not change.'),
        storage_quota: t('For both sides. What is left empty does not change.'),
      }}
    />
  )
}

/** PATCH /console/api/projects/{id}/security, which owners may. */
const SECURITY: FormOperation = {
  name: 'console.projects.security',
  summary: 'Set when idle operators are logged out',
  fields: [{ name: 'idle_minutes', type: 'integer', min: 5, max: 1_440, nullable: true }],
}

/** After how long operators of the project who do nothing are logged out. */
export function IdleMinutes({ row: { id, idle_minutes } }: { readonly row: Project }) {
  const queries = useQueryClient()
  const form = useSchemaForm<object>({
    operation: SECURITY,
    of: id,
    read: { values: { idle_minutes } },
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
