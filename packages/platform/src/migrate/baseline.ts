import { readFile } from 'node:fs/promises'

/** `baseline.json` of the folder of migrations. */
interface Baseline {
  /** The first release. */
  readonly version: string
  /** The migrations that make its schema in a new database. */
  readonly files: readonly string[]
  /** The migrations of before, with their checksums. Together they made the same schema. */
  readonly replaces: Readonly<Record<string, string>>
}

/**
 * The migrations that need not run, because the database got their schema from the migrations of before the first release.
 *
 * @param landed - The checksums of the migrations that are recorded in the database, by name.
 * @throws Error if only some of the migrations of before are recorded, or if one of them was another.
 */
export async function alreadyMade(
  folder: URL,
  landed: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const { version, files, replaces } = JSON.parse(
    await readFile(new URL('baseline.json', folder), 'utf8'),
  ) as Baseline
  const former = Object.entries(replaces)
  if (!former.some(([name]) => landed.has(name))) return []
  const missing = former.filter(([name]) => !landed.has(name)).map(([name]) => name)
  if (missing.length > 0)
    throw new Error(
      `the database was made before version ${version}, and ${missing.length} of the ${former.length} migrations of that time ` +
        `are missing (${missing.join(', ')}): migrate it with the last version that has them, then with this one`,
    )
  const other = former.find(([name, checksum]) => landed.get(name) !== checksum)
  if (other) throw new Error(`migration ${other[0]} was edited after it had been applied`)
  return files
}
