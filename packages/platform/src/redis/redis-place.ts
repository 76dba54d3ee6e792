/** Where a Redis is: one server, a cluster, or whichever of several is the master according to the sentinels. */
export type RedisPlace = Access &
  (
    | { readonly kind: 'one'; readonly node: Address }
    | { readonly kind: 'cluster'; readonly nodes: readonly Address[] }
    | {
        readonly kind: 'sentinel'
        readonly sentinels: readonly Address[]
        /** What the sentinels call the master. */
        readonly name: string
        readonly sentinelPassword: string | undefined
      }
  )

interface Access {
  readonly username: string | undefined
  readonly password: string | undefined
  readonly db: number
  readonly isEncrypted: boolean
}

export interface Address {
  readonly host: string
  readonly port: number
}

const PORTS = { redis: 6379, sentinel: 26379 } as const
const FORM = /^(rediss?)(\+sentinel)?:\/\/(?:([^@]*)@)?([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/

/**
 * Reads REDIS_URL: `redis://host:port/db`, several nodes of a cluster `redis://a:7000,b:7001`, or
 * `redis+sentinel://a:26379,b:26379/name`; `rediss` for TLS, and `user:password@` in front of the first host.
 * @returns undefined for what is none of these
 */
export function readRedisPlace(url: string): RedisPlace | undefined {
  const [, scheme, isSentinel, credentials, hosts = '', path = '', search = ''] = FORM.exec(url) ?? []
  if (scheme === undefined) return undefined
  const addresses = hosts
    .split(',')
    .map((host) => readAddress(host.trim(), isSentinel ? PORTS.sentinel : PORTS.redis))
  const nodes = addresses.filter((address) => address !== undefined)
  const [first] = nodes
  if (first === undefined || nodes.length < addresses.length) return undefined
  const [name = '', number = ''] = isSentinel ? path.split('/') : ['', path]
  if (!/^\d*$/.test(number)) return undefined
  const access = { ...readCredentials(credentials), db: Number(number), isEncrypted: scheme === 'rediss' }
  if (isSentinel) {
    const sentinelPassword = new URLSearchParams(search).get('sentinel_password') ?? undefined
    return name === '' ? undefined : { kind: 'sentinel', sentinels: nodes, name, sentinelPassword, ...access }
  }
  if (nodes.length === 1) return { kind: 'one', node: first, ...access }
  // A cluster has one database.
  return access.db === 0 ? { kind: 'cluster', nodes, ...access } : undefined
}

function readAddress(text: string, usual: number): Address | undefined {
  const url = URL.parse(`x://${text}`)
  if (!url?.hostname || url.username !== '' || url.pathname.length > 1) return undefined
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || usual) }
}

function readCredentials(text: string | undefined) {
  if (text === undefined) return { username: undefined, password: undefined }
  const at = text.indexOf(':')
  const decoded = (part: string) => decodeURIComponent(part) || undefined
  return at < 0
    ? { username: decoded(text), password: undefined }
    : { username: decoded(text.slice(0, at)), password: decoded(text.slice(at + 1)) }
}
