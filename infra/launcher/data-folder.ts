/** The data folder: one launcher at a time, the secret of the installation, the demo keys, where things run. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processIdentity } from '../processes.ts'
import { StartError } from '../start-error.ts'
import type { Environment } from './part.ts'

/** The keys of the demo project. The demo site has its own, which works from its origin only. */
export type Keys = { secretKey: string; publicKey: string; siteKey?: string; siteOrigin?: string }

/** What tools that come along later read: where the running parts are, by the names of the variables. */
export type Runtime = Environment & { pid: string; started_at: string }

/** An opened, locked data folder. */
export type DataFolder = {
  path: string
  logs: string
  /** The installation's secret, made at the first start. */
  secretKey(): Promise<string>
  /** The demo project's keys in the database of that name, if a start has kept them. */
  keys(database: string): Promise<Keys | undefined>
  keepKeys(database: string, keys: Keys): Promise<void>
  writeRuntime(runtime: Runtime): Promise<void>
  /** Removes what is only true while it runs, and the lock. */
  close(): Promise<void>
}

/**
 * Opens the data folder and locks it against a second launcher.
 * @throws StartError when it is not a folder, cannot be written, or another launcher has it
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const logs = join(path, 'log')
  await mkdir(logs, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EEXIST' || error.code === 'ENOTDIR' ? 'it is not a folder' : error.code
    throw new StartError(`The data folder ${path} cannot be used: ${reason}.`)
  })
  const lock = join(path, 'lock')
  await takeLock(path, lock)
  const runtime = join(path, 'runtime.json')
  const demoKeys = join(path, 'demo-keys.json')

  return {
    path,
    logs,
    async secretKey() {
      const file = join(path, 'secret-key')
      const kept = (await readIfThere(file))?.trim()
      if (kept !== undefined && kept.length >= 32) return kept
      if (kept !== undefined) throw new StartError(`The data folder is damaged: ${file} has no usable key.`)
      const made = randomBytes(32).toString('base64url')
      await writePrivate(file, `${made}\n`)
      return made
    },
    async keys(database) {
      return (await readKeys(demoKeys))[database]
    },
    async keepKeys(database, keys) {
      await writePrivate(
        demoKeys,
        JSON.stringify({ ...(await readKeys(demoKeys)), [database]: keys }, null, 2),
      )
    },
    writeRuntime: (content) => writePrivate(runtime, JSON.stringify(content, null, 2)),
    async close() {
      await rm(runtime, { force: true })
      await rm(lock, { force: true })
    },
  }
}

async function takeLock(path: string, lock: string): Promise<void> {
  const mine = processIdentity(process.pid) ?? String(process.pid)
  const draft = `${lock}.${process.pid}`
  await writeFile(draft, mine, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`The data folder ${path} is not writable (${error.code}).`)
  })
  try {
    for (;;) {
      // A link appears whole or not at all, so nobody ever reads a half-written lock.
      const taken = await link(draft, lock).then(
        () => true,
        () => false,
      )
      if (taken) return
      const holder = (await readIfThere(lock)) ?? ''
      const pid = Number.parseInt(holder, 10)
      if (holder && processIdentity(pid) === holder && pid !== process.pid) {
        throw new StartError(
          `Guildhall already runs on the data folder ${path} (process ${pid}): stop it, or set DATA_DIR and PORT ` +
            'to run a second one beside it.',
        )
      }
      await rm(lock, { force: true })
    }
  } finally {
    await rm(draft, { force: true })
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartError(
      error.code === 'EACCES'
        ? `${file} in the data folder belongs to another user: start Guildhall as that user.`
        : `The data folder is damaged: ${file} cannot be read (${error.code}).`,
    )
  })
}

async function readKeys(file: string): Promise<Record<string, Keys>> {
  const text = await readIfThere(file)
  if (text === undefined) return {}
  try {
    return JSON.parse(text) as Record<string, Keys>
  } catch {
    throw new StartError(`The data folder is damaged: ${file} is not JSON.`)
  }
}

/** Writes a file that only its owner reads, whole or not at all. */
async function writePrivate(file: string, content: string): Promise<void> {
  const draft = `${file}.new`
  await rm(draft, { force: true })
  await writeFile(draft, content, { mode: 0o600, flag: 'wx' })
  await rename(draft, file)
}
