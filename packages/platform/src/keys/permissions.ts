const AREAS = [
  'members',
  'forms',
  'content',
  'plans',
  'community',
  'commerce',
  'learning',
  'help',
  'analytics',
  'storage',
] as const

export type Permission = `${'read' | 'write'}:${(typeof AREAS)[number]}` | 'admin'

/** All that a secret key may be given. `admin` implies every other; `write:x` does not imply `read:x`. */
export const PERMISSIONS: readonly Permission[] = [
  ...AREAS.flatMap((area) => [`read:${area}`, `write:${area}`] as const),
  'admin',
]

export type Capability = 'auth' | 'catalog' | 'submit' | 'track' | 'access'

/** What an operator can open to a public key. `auth` is what every public key has. */
export const CAPABILITIES: readonly Capability[] = ['auth', 'catalog', 'submit', 'track', 'access']
