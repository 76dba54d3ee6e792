const NOUNS = [
  'members',
  'plans',
  'commerce',
  'forms',
  'community',
  'content',
  'help',
  'learning',
  'analytics',
  'storage',
]

/** What a secret key may do. `npm run console:test` compares it with what the API knows. */
export const PERMISSIONS = ['admin', ...NOUNS.flatMap((noun) => [`read:${noun}`, `write:${noun}`])]

/** What can be opened to a public key besides `auth`, which every one has. */
export const CAPABILITIES = ['catalog', 'submit', 'track', 'access']
