import type { Asker } from '#platform/catalogue/topic.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { KEY, type Viewer } from '#platform/http/viewer.ts'
import type { OperatorLogin } from '#platform/tokens/access-token.ts'
import type { OperatorToken } from '#platform/tokens/operator-token.ts'
import { findRest, listeningMembers, openSessions, workingKeys } from '../queries.ts'

/** Why a stream is ended, for its client. */
export type EndReason =
  | 'session_ended'
  | 'member_inactive'
  | 'key_revoked'
  | 'access_changed'
  | 'project_suspended'
  | 'shutting_down'

/** By which credential somebody listens, and for whom. Ids are stored ones. */
export interface Listener {
  readonly projectId: string
  /** Null for a key that names nobody. */
  readonly memberId: string | null
  readonly sessionId: string | null
  readonly keyId: string | null
  /** Who listens by the token of an operator, or as an operator who is logged in as the member; null for everybody else. */
  readonly operator: OperatorToken | OperatorLogin | null
}

/** Whether the session and the role of an operator still stand. */
export type OperatorStands = (operator: OperatorLogin) => Promise<boolean>

/** The rights of a listener at a moment, or the reason why it may listen no longer. */
export type Standing = Asker | EndReason

/** What decides what a listener may read, as one text: while it stays the same, topics that were opened stay open. */
export const markOf = ({ viewer, permissions }: Asker): string =>
  [viewer.planId, viewer.isModerator, ...permissions].join(' ')

/** What a member's own token may: what the gates let the member. */
const TOKEN: Asker['permissions'] = ['admin']

/** What a viewer may: read what has topics, but not all events of the project. */
const VIEWER: Asker['permissions'] = ['read:community', 'read:commerce']

const isOfViewer = (operator: Listener['operator']): boolean =>
  operator !== null && 'role' in operator && operator.role === 'viewer'

/** What listeners of one project may now. */
export async function standingsOf(
  data: ProjectData,
  listeners: readonly Listener[],
  stands: OperatorStands,
): Promise<(listener: Listener) => Standing> {
  const ended = new Set<OperatorLogin>()
  for (const { operator } of listeners)
    if (operator !== null && !(await stands(operator))) ended.add(operator)
  const ids = (name: 'memberId' | 'sessionId' | 'keyId') => [
    ...new Set(listeners.flatMap((listener) => listener[name] ?? [])),
  ]
  const { rest, members, sessions, keys } = await data.read({
    rest: findRest(),
    members: listeningMembers({ ids: ids('memberId') }),
    sessions: openSessions({ ids: ids('sessionId') }),
    keys: workingKeys({ ids: ids('keyId') }),
  })
  const viewers = new Map(members.map((member) => [member.id, toViewer(member)]))
  const open = new Set(sessions)
  const permissions = new Map(keys.map((key) => [key.id, key.permissions]))
  return ({ memberId, sessionId, keyId, operator }) => {
    // Its clients connect again, and are forwarded.
    if (rest?.moved) return 'shutting_down'
    if (rest?.suspended) return 'project_suspended'
    if (operator !== null && ended.has(operator)) return 'session_ended'
    if (rest === undefined || rest.deleted) return keyId === null ? 'session_ended' : 'key_revoked'
    if (sessionId !== null && !open.has(sessionId)) return 'session_ended'
    const permitted = keyId === null ? undefined : permissions.get(keyId)
    if (keyId !== null && permitted === undefined) return 'key_revoked'
    const viewer = memberId === null ? KEY : viewers.get(memberId)
    if (viewer === undefined) return 'member_inactive'
    return { viewer, permissions: isOfViewer(operator) ? VIEWER : (permitted ?? TOKEN) }
  }
}

/** Members as they are now, by their stored ids, without those who may not listen. */
export async function viewersOf(
  data: ProjectData,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Viewer>> {
  if (ids.length === 0) return new Map()
  const { members } = await data.read({ members: listeningMembers({ ids }) })
  return new Map(members.map((member) => [member.id, toViewer(member)]))
}

const toViewer = (row: { id: string; plan_id: string; is_moderator: boolean }): Viewer => ({
  isKey: false,
  memberId: row.id,
  planId: row.plan_id,
  isModerator: row.is_moderator,
})
