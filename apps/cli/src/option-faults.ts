import { ApiError } from '#platform/errors.ts'

interface Rights {
  readonly type: string
  readonly permissions?: readonly string[]
  readonly capabilities?: readonly string[]
}

/** What is wrong with the rights that a new key is to have: secret keys have permissions, public ones capabilities. */
export function rightsFault({ type, permissions, capabilities }: Rights): string | undefined {
  if (type === 'public')
    return permissions && 'a public key has no permissions: leave out --permissions, or use --capabilities'
  if (capabilities) return 'a secret key has no capabilities: leave out --capabilities, or use --permissions'
  if (permissions === undefined || permissions.length === 0)
    return 'a secret key needs --permissions: say what it may do, like --permissions read:members, or admin for everything'
  return undefined
}

/** What the driver says where an address has no password. It has no code. */
const NO_PASSWORD = /client password must be a string/

/** Whether an error is about the address of the database, and no fault of the program. */
export const isWithoutPassword = (error: Error): boolean => NO_PASSWORD.test(error.message)

/** What went wrong, once, and in the words of the options where they are at fault. */
export function sentenceOf(error: Error): string {
  if (isWithoutPassword(error))
    return 'PostgreSQL asks for a password: set DATABASE_DIRECT_URL, or DATABASE_URL without it, with the login of the owner, like postgres://owner:password@host:port/database'
  const faults = error instanceof ApiError ? (error.details ?? []) : []
  if (faults.length === 0) return error.message
  return faults.map(({ field, message }) => `${optionOf(field)} ${message}`).join('\n')
}

/** `redirect_urls[0]` → `--redirect-urls`. */
const optionOf = (field: string) => `--${field.replace(/\[\d+\].*$/, '').replaceAll('_', '-')}`
