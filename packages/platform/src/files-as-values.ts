import { readFileSync } from 'node:fs'

/** The variables of a process, or of whoever calls a command. */
export type Variables = Readonly<Record<string, string | undefined>>

/** A file that a variable names and that cannot be read, or a value that is given twice. The message says which. */
export class ValueFileError extends Error {
  override name = 'ValueFileError'
}

const END = '_FILE'
/** Those with which a value may come in a file: what nobody else may see, and addresses with passwords in them. */
export const IN_FILES = [
  ...[
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'DATABASE_OWNER_URL',
    'DATABASE_REPLICA_URL',
    'REDIS_URL',
    'SECRET_KEY',
    'SECRET_KEY_OLD',
  ],
  ...['SMTP_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'OPS_TOKEN', 'CONSOLE_SSO_CLIENT_SECRET'],
] as const

/**
 * The same variables, with the contents of files in place of their names: `SECRET_KEY_FILE=/run/secrets/secret_key` sets `SECRET_KEY`.
 * White space at the end of a file is no part of the value.
 * @throws ValueFileError
 */
export function withValuesOfFiles(environment: Variables): Variables {
  const values: Record<string, string | undefined> = { ...environment }
  for (const name of IN_FILES) {
    const path = environment[name + END]
    if (path === undefined || path === '') continue
    if (environment[name]) throw new ValueFileError(`${name} and ${name}${END} are both set: set one of them`)
    try {
      values[name] = readFileSync(path, 'utf8').trimEnd()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new ValueFileError(`${name}${END} is ${JSON.stringify(path)}, which cannot be read (${code})`)
    }
  }
  return values
}
