import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { ApiKeyRecord } from './schema.ts'

const KeyData = Type.Pick(ApiKeyRecord, ['id', 'name', 'type', 'prefix'])
const example = {
  id: 'key_01jcq3k8f7e8qtk4m3hbw7rn2f',
  name: 'Backend',
  type: 'secret',
  prefix: 'svc_sk_live_4fT9xQ2b',
} as const

export const keyCreated = defineEvent({
  name: 'api_key.created',
  description: 'An API key was created',
  data: KeyData,
  example,
  member: () => null,
})
export const keyRevoked = defineEvent({
  name: 'api_key.revoked',
  description: 'An API key was revoked',
  data: KeyData,
  example,
  member: () => null,
})
export const keyRotated = defineEvent({
  name: 'api_key.rotated',
  description: 'An API key was replaced with a new one',
  data: KeyData,
  example,
  member: () => null,
})
