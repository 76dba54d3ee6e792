/** Customers of an installation: a project and a key that may do everything. */
import { createKey } from '#areas/api-keys/service.ts'
import { areas } from '#areas/areas.ts'
import { createProject, tenantOf } from '#areas/projects/service.ts'
import { permissionsOf } from '#platform/area.ts'
import { openPool } from '#platform/db/pool.ts'
import { dataOf } from '#platform/db/tenant.ts'
import { runCommand } from './servers.ts'

/** A customer of the installation. */
export interface Customer {
  readonly projectId: string
  readonly key: string
}

interface Place {
  readonly DATABASE_URL: string
  readonly SECRET_KEY: string
}

/** @param rateLimit requests a minute */
export async function makeCustomer(place: Place, rateLimit: number): Promise<Customer> {
  const operators = openPool(place, { role: 'operator', size: 1, onError: () => undefined })
  const pool = openPool(place, { role: 'api', size: 1, onError: () => undefined })
  try {
    const project = await createProject(operators, { name: 'Faults', tier: 'enterprise', rateLimit })
    const projectId = await tenantOf(operators, project.id, 'live')
    const request = { type: 'secret', name: 'Faults', permissions: ['admin'] } as const
    const { key } = await dataOf(pool, projectId, { kind: 'operator' }).write((ctx) =>
      createKey(ctx, 'live', request, permissionsOf(areas)),
    )
    return { projectId, key }
  } finally {
    await operators.end()
    await pool.end()
  }
}

/**
 * The same by the commands of a checkout, whose database may have another form than this one's.
 * @param environment of the commands
 * @returns the key
 */
export async function makeCustomerOf(
  root: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const made = await runCommand(
    root,
    ['project', 'create', '--name', 'Before', '--tier', 'enterprise', '--json'],
    environment,
  )
  const { id } = JSON.parse(made) as { id: string }
  const rights = ['--type', 'secret', '--permissions', 'admin']
  const side = ['--project', id, '--environment', 'live', '--name', 'Before']
  const key = await runCommand(root, ['key', 'create', ...side, ...rights, '--json'], environment)
  return (JSON.parse(key) as { key: string }).key
}
