import type { Actor } from '#platform/actor.ts'
import { toId } from '#platform/ids.ts'

/** The public id of who acts; null for processes of ours. */
export function actorId(actor: Actor): string | null {
  if (actor.kind === 'member') return toId('member', actor.id)
  return actor.kind === 'secret_key' || actor.kind === 'public_key' ? toId('API key', actor.id) : null
}
