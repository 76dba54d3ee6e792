import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { ConnectionId, ConnectionSummary, LinkedIdentity } from './schema.ts'

const CONNECTION = 'sso_01jcq3k8f7e8qtk4m3hbw7rn2g'

export const connectionCreated = defineEvent({
  name: 'sso_connection.created',
  description: 'An SSO connection was created; members can log in by it',
  data: ConnectionSummary,
  example: exampleOf(ConnectionSummary),
  member: () => null,
})
export const connectionUpdated = defineEvent({
  name: 'sso_connection.updated',
  description: 'An SSO connection was changed',
  data: ConnectionSummary,
  example: exampleOf(ConnectionSummary),
  member: () => null,
})
export const connectionDeleted = defineEvent({
  name: 'sso_connection.deleted',
  description: 'An SSO connection was deleted, and with it the identities of its users',
  data: Type.Object({ id: ConnectionId }),
  example: { id: CONNECTION },
  member: () => null,
})
export const memberSsoLinked = defineEvent({
  name: 'member.sso_linked',
  description:
    'A member has logged in by an SSO connection for the first time; the identity at the provider now belongs to the member',
  data: LinkedIdentity,
  example: { id: 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d', connection_id: CONNECTION },
  member: ({ id }) => id,
})
