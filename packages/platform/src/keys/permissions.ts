/** What a secret key may do. Areas declare them in their manifests; `permissionsOf` lists all. */
export type Permission = `${'read' | 'write'}:${string}` | 'admin'

export type Capability = 'auth' | 'catalog' | 'submit' | 'track' | 'access'

/** What an operator can open to a public key. `auth` is what every public key has. */
export const CAPABILITIES: readonly Capability[] = ['auth', 'catalog', 'submit', 'track', 'access']
