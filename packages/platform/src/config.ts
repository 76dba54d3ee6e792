import { delimiter } from 'node:path'
import { type Variables, withValuesOfFiles } from './files-as-values.ts'
import type { Config } from './parse-config.ts'

export type { Config } from './parse-config.ts'

/**
 * Reads the configuration of this process from its environment.
 * @throws ConfigError that names every wrong variable, one line each; ValueFileError
 */
export async function readConfig(): Promise<Config> {
  // Commands call readPlace, and the schema with its validator takes half of the time that they need to start.
  const { parseConfig } = await import('./parse-config.ts')
  return parseConfig(readEnvironment())
}

/** Sentences about variables of this process that are likely misspelled. */
export async function readMisspelled(): Promise<string[]> {
  const { misspelled } = await import('./misspelled.ts')
  return misspelled(readEnvironment())
}

/** What commands need to find an installation; unset where they look for the launcher's. */
export function readPlace() {
  const { DATABASE_URL, DATABASE_DIRECT_URL, SECRET_KEY, SECRET_KEY_OLD, DATA_DIR } = readEnvironment()
  return {
    DATABASE_URL: DATABASE_URL || undefined,
    DATABASE_DIRECT_URL: DATABASE_DIRECT_URL || undefined,
    SECRET_KEY: SECRET_KEY || undefined,
    SECRET_KEY_OLD: SECRET_KEY_OLD || undefined,
    DATA_DIR: DATA_DIR || '.data',
  }
}

/** The variables of this process, with the values that are in files. @throws ValueFileError */
export const readEnvironment = (): Variables => withValuesOfFiles(process.env)

/** The folders in which programs of this machine are looked for. */
export const commandPath = (): string[] => (process.env.PATH ?? '').split(delimiter)
