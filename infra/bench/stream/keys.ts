/** More keys of a project: a process takes so many streams of one. */
import { createKey } from '#areas/api-keys/service.ts'
import { areas } from '#areas/areas.ts'
import { permissionsOf } from '#platform/area.ts'
import { openOperator } from '../../../apps/cli/src/operator.ts'
import type { Tenant } from '../data.ts'
import type { Rig } from '../rig.ts'

/** @returns what each is sent as: `Bearer svc_sk_…` */
export async function makeKeys(
  { postgres, secretKey }: Rig,
  { projectId }: Tenant,
  count: number,
): Promise<string[]> {
  const operator = openOperator({ databaseUrl: postgres.url, secretKey })
  try {
    const data = await operator.dataOf(projectId)
    const keys: string[] = []
    for (let n = 0; n < count; n++) {
      const { key } = await data.write((ctx) =>
        createKey(
          ctx,
          'live',
          { type: 'secret', name: `Bench ${n}`, permissions: ['read:community'] },
          permissionsOf(areas),
        ),
      )
      keys.push(`Bearer ${key}`)
    }
    return keys
  } finally {
    await operator.close()
  }
}
