import { forbidden } from '../errors.ts'
import type { ApiKey } from '../keys/key-store.ts'
import type { Capability, Permission } from '../keys/permissions.ts'

/**
 * Which credentials may call a route. `secret` names the permission that a secret key needs, `public` the capability
 * of a public key; `any` asks for none. `open` is for routes that need no credential at all.
 */
export type Access = { readonly secret?: Permission | 'any'; readonly public?: Capability | 'any' } | 'open'

/**
 * Lets a key pass or not.
 * @throws ApiError 403 that says what is lacking
 */
export function authorize(access: Exclude<Access, 'open'>, key: ApiKey): void {
  if (key.type === 'public') {
    if (access.public === undefined)
      throw forbidden('A public key cannot call this endpoint; use a secret key on a server')
    if (access.public !== 'any' && !key.capabilities.has(access.public))
      throw forbidden(`This public key lacks the capability ${access.public}`)
    return
  }
  if (access.secret === undefined) throw forbidden('A secret key cannot call this endpoint')
  if (access.secret !== 'any' && !key.permissions.has(access.secret) && !key.permissions.has('admin'))
    throw forbidden(`This key lacks the permission ${access.secret}`)
}

/** One sentence for the API's document. */
export function describeAccess(access: Access): string {
  if (access === 'open') return 'No credential needed.'
  const ways = []
  if (access.secret !== undefined)
    ways.push(access.secret === 'any' ? 'any secret key' : `a secret key with \`${access.secret}\``)
  if (access.public !== undefined)
    ways.push(access.public === 'any' ? 'any public key' : `a public key with \`${access.public}\``)
  return `Access: ${ways.join(' or ')}.`
}
