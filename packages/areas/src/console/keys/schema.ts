import { Type } from 'typebox'
import { ApiKeyRecord, RotatedKey, RotateRequest } from '#areas/api-keys/schema.ts'
import { oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { Environment } from '../projects/schema.ts'
import { ProjectId } from '../schema.ts'

export { ApiKeyRecord, RotatedKey as ShownKey }

const Words = (description: string, example: string[]) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: 253 }), { maxItems: 100, description, examples: [example] }),
  )

export const NewKey = strict(
  {
    environment: Environment,
    type: oneOf(['public', 'secret'], { description: 'A secret key is for servers', examples: ['secret'] }),
    name: Type.String({ minLength: 1, maxLength: 120, examples: ['Backend'] }),
    permissions: Words('The permissions of a secret key', ['read:members']),
    capabilities: Words('The capabilities of a public key besides `auth`', ['catalog']),
    allowed_ips: Words('Addresses and ranges that may use the key; none: every address', ['192.0.2.0/24']),
    allowed_origins: Words('Origins that may use the key; none: those of the project', [
      'https://example.com',
    ]),
    expires_at: Type.Optional(Timestamp({ description: 'When the key ends; without it, never' })),
  },
  { title: 'NewApiKey' },
)

export const KeysQuery = strict({ environment: Environment })
export const RotateKey = RotateRequest
export const ByKey = strict({
  id: pathId('project', ProjectId),
  key: pathId('API key', ApiKeyRecord.properties.id),
})
