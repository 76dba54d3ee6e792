import { createKey, revokeKey } from '#areas/api-keys/service.ts'
import { areas } from '#areas/areas.ts'
import { createEndpoint, prepareEndpoint } from '#areas/webhooks/endpoints/service.ts'
import { SEALED_FOR } from '#areas/webhooks/schema.ts'
import { permissionsOf } from '#platform/area.ts'
import { parseId } from '#platform/ids.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import { DAY_MS } from './agenda.ts'
import type { Part, Scene } from './part.ts'

/** Nobody listens there. */
const REFUSES = 'http://127.0.0.1:65431/crm'

/** Three webhooks, of which one fails and one is gone, and keys. It comes first, so that what follows is delivered. */
export const developers: Part = {
  name: 'developers',
  begin: async () => async (scene) => {
    await addWebhooks(scene)
    await addKeys(scene)
  },
}

async function addWebhooks({ ctx, place }: Scene): Promise<void> {
  const { config, catalogue, receiverUrl } = place
  // Nothing is sent outside.
  if (config.ALLOW_PRIVATE_NETWORKS.length === 0) return
  const tools = { box: makeProjectBox(config, SEALED_FOR), rules: config, events: catalogue.events }
  const add = async (url: string, description: string, events: string[]) =>
    createEndpoint(ctx, tools, prepareEndpoint(tools, ctx.projectId, { url, description, events }))
  if (receiverUrl !== undefined)
    await add(`${receiverUrl}/orders`, 'Books what was paid', [
      'order.paid',
      'subscription.past_due',
      'course.*',
    ])
  // It is disabled when it is called first.
  if (receiverUrl !== undefined) await add(`${receiverUrl}/gone`, 'Moved last summer', ['member.created'])
  await add(REFUSES, 'The old address book, which is switched off', [
    'order.refunded',
    'subscription.canceled',
  ])
}

async function addKeys({ ctx, place }: Scene): Promise<void> {
  const known = permissionsOf(areas)
  const secret = { type: 'secret', created_by: 'operator' } as const
  const later = new Date(place.now + 60 * DAY_MS)
  const make = (request: Parameters<typeof createKey>[2]) => createKey(ctx, 'test', request, known)
  await make({
    ...secret,
    name: 'Backend',
    permissions: ['read:members', 'write:members'],
    expires_at: later,
  })
  await make({
    ...secret,
    name: 'Bookkeeping',
    permissions: ['read:plans', 'read:commerce'],
    allowed_ips: ['192.0.2.0/24'],
  })
  const { id } = await make({ ...secret, name: 'Of somebody who left', permissions: ['admin'] })
  await revokeKey(ctx, parseId('API key', id) ?? '')
  await make({
    type: 'public',
    name: 'Site',
    capabilities: ['catalog', 'submit'],
    allowed_origins: ['https://example.com'],
    created_by: 'operator',
  })
}
