import { spawn, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { commandPath } from '#platform/config.ts'

/** pg_dump and pg_restore of one version of PostgreSQL. */
export interface Programs {
  readonly dump: string
  readonly restore: string
  /** 15 to 18. */
  readonly major: number
}

/** This machine has no pg_dump that fits; the message says what to install. */
export class NoPrograms extends Error {
  override name = 'NoPrograms'
}

/** Where packages put the programs of several versions side by side. */
const VERSIONED = ['/usr/lib/postgresql', '/usr', '/opt/homebrew/opt', '/usr/local/opt']

/**
 * The oldest programs of this machine that can read a server: those of its own version, or newer ones.
 * @param path folders in the form of PATH, in place of those of this machine
 * @throws NoPrograms
 */
export function findPrograms(serverMajor: number, path?: string): Programs {
  const folders = path === undefined ? [...commandPath(), ...versionedFolders()] : path.split(delimiter)
  const found = folders.flatMap((folder): Programs[] => {
    const [dump, restore] = [join(folder, 'pg_dump'), join(folder, 'pg_restore')]
    const major = majorOf(dump)
    return major === undefined || majorOf(restore) !== major ? [] : [{ dump, restore, major }]
  })
  const fitting = found.filter(({ major }) => major >= serverMajor).sort((a, b) => a.major - b.major)[0]
  if (fitting !== undefined) return fitting
  const newest = Math.max(0, ...found.map(({ major }) => major))
  throw new NoPrograms(
    `PostgreSQL ${serverMajor} needs pg_dump and pg_restore of version ${serverMajor} or newer, and this machine has ` +
      `${newest === 0 ? 'none' : `${newest}`}. Install postgresql-client-${serverMajor} (Debian, Ubuntu), postgresql${serverMajor} ` +
      `(Red Hat), postgresql${serverMajor}-client (Alpine) or libpq (Homebrew). A base backup needs neither: docs/operations.md, ` +
      'Restore to a time.',
  )
}

/** `/usr/lib/postgresql/18/bin`, `/usr/pgsql-18/bin`, and the like. */
const versionedFolders = (): string[] =>
  VERSIONED.flatMap((parent) => {
    try {
      return readdirSync(parent)
        .filter((name) => /^(\d+|pgsql-\d+|libpq|postgresql@\d+)$/.test(name))
        .map((name) => join(parent, name, 'bin'))
    } catch {
      return []
    }
  })

function majorOf(program: string): number | undefined {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  const major = status === 0 ? /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1] : undefined
  return major === undefined ? undefined : Number(major)
}

/**
 * Runs one of the programs on a database; the password is in no command line.
 * @throws Error with what it wrote last
 */
export async function runProgram(
  program: string,
  databaseUrl: string,
  args: readonly string[],
): Promise<void> {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  const child = spawn(program, ['--no-password', `--dbname=${url.href}`, ...args], {
    env: { PATH: commandPath().join(delimiter), LC_ALL: 'C', PGPASSWORD: password },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000)
  })
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.on('error', reject).on('close', resolve)
  const code = await promise
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${said.trim()}`)
}
