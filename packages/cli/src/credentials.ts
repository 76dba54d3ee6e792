import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { settingsFolder } from './config.ts'
import { Failure } from './failure.ts'

/** A log-in, as it is kept on this machine. */
export type Kept =
  | { readonly kind: 'key'; readonly url: string; readonly key: string }
  /** Of a log-in by a browser: it opens one side of one project, with the role of the operator. */
  | { readonly kind: 'device'; readonly url: string; readonly refreshToken: string }

/** The file in the user's folder of settings. */
export const credentialsFile = (): string => join(settingsFolder(), 'guildhall', 'credentials.json')

/** The log-in of this machine, or undefined. @throws Failure for a file that cannot be read, or is none of ours */
export async function readKept(): Promise<Kept | undefined> {
  const file = credentialsFile()
  let text: string
  try {
    text = await readFile(file, 'utf8')
    // A copy or a restored backup may be readable by everybody.
    if (process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Failure(`${file} cannot be read: ${(error as Error).message}`)
  }
  const kept = parsed(text)
  if (kept === undefined) throw new Failure(`${file} is damaged: remove it, and log in again`)
  return kept
}

function parsed(text: string): Kept | undefined {
  try {
    const { kind, url, key, refreshToken } = JSON.parse(text) as Record<string, unknown>
    if (typeof url !== 'string') return undefined
    if (kind === 'key' && typeof key === 'string') return { kind, url, key }
    if (kind === 'device' && typeof refreshToken === 'string') return { kind, url, refreshToken }
    return undefined
  } catch {
    return undefined
  }
}

/** Keeps a log-in where only this user can read it. A crash leaves the file before or the new one. @returns where */
export async function keep(kept: Kept): Promise<string> {
  const file = credentialsFile()
  const folder = dirname(file)
  const next = join(folder, `credentials.${randomUUID()}.json`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(next, `${JSON.stringify(kept)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(next, file)
  } catch (error) {
    await rm(next, { force: true })
    throw new Failure(`${file} cannot be written: ${(error as Error).message}`)
  }
  return file
}

export const forget = (): Promise<void> => rm(credentialsFile(), { force: true })
