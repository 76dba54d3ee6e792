import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inject } from 'vitest'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { migrate } from './migrate.ts'

export const FOLDER = new URL('../../../../migrations/', import.meta.url)
/** The names of all migrations, in their order. */
export const FILES = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
export const BASELINE: { files: string[]; replaces: Record<string, string> } = JSON.parse(
  await readFile(new URL('baseline.json', FOLDER), 'utf8'),
)

/** Gives a database the schema of version 0.1.0, and nothing that came later. */
export async function migrateToBaseline(databaseUrl: string): Promise<void> {
  const folder = await mkdtemp(join(inject('servers').runFolder, 'migrations-'))
  for (const file of [...BASELINE.files, 'baseline.json']) await cp(new URL(file, FOLDER), join(folder, file))
  await migrate({ databaseUrl, secretKey: TEST_SECRET_KEY, folder: pathToFileURL(`${folder}/`) })
  await rm(folder, { recursive: true })
}
