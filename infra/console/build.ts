/** Builds apps/console where its sources have changed since it was built. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CONSOLE = join(ROOT, 'apps/console')
/** What the build is made from, beside the sources of the console itself. */
const INPUTS = ['apps/console', 'packages/sdk/src', 'packages/elements/src']
/** Also what `npm pack` leaves out: an archive has the build already. */
const IGNORED = /^(?:node_modules|dist.*|\.npmrc|.*\.test\.ts)$/
const VITE = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', '--emptyOutDir', '--outDir']

/**
 * Installs and builds the console, unless the build that is there is of the same sources.
 * @param signal ends it
 * @returns whether something was built
 * @throws Error with the last lines of the program that failed
 */
export async function buildConsole(signal?: AbortSignal): Promise<boolean> {
  const [sources, lock] = await Promise.all([hashOf(INPUTS), hashOf(['apps/console/package-lock.json'])])
  const built = join(CONSOLE, 'dist/.built')
  if ((await readOrNothing(built)) === sources) return false
  const installed = join(CONSOLE, 'node_modules/.installed')
  if ((await readOrNothing(installed)) !== lock) {
    await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], signal)
    await writeFile(installed, lock)
  }
  // Beside the build that is served, which stays whole until this one is.
  const next = join(CONSOLE, `dist-${process.pid}`)
  await run(process.execPath, [...VITE, next], signal)
  await writeFile(join(next, '.built'), sources)
  await rm(join(CONSOLE, 'dist'), { recursive: true, force: true })
  await rename(next, join(CONSOLE, 'dist'))
  return true
}

/** Builds the console with the page of its parts, which no other build has, and which nothing else serves. */
export const buildStories = (folder: string): Promise<void> =>
  run(process.execPath, [...VITE, folder], undefined, { VITE_STORIES: 'on' })

const readOrNothing = (path: string) => readFile(path, 'utf8').catch(() => undefined)

/** One hash of files and folders, by their names and contents. */
async function hashOf(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const add = async (path: string): Promise<void> => {
    const entries = await readdir(join(ROOT, path), { withFileTypes: true }).catch(() => undefined)
    if (entries === undefined) {
      hash.update(`${path}\n`).update(await readFile(join(ROOT, path)))
      return
    }
    for (const { name } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      if (!IGNORED.test(name)) await add(`${path}/${name}`)
  }
  for (const path of paths) await add(path)
  return hash.digest('hex')
}

async function run(
  command: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(command, args, {
    ...{ cwd: CONSOLE, stdio: ['ignore', 'pipe', 'pipe'] },
    // A test that builds says `test`, and React would be that of development.
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    ...(signal && { signal }),
  })
  // The API, and the demo data that are made meanwhile, come first.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(-4_000)
    })
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (status !== 0) throw new Error(`the console could not be built: ${output.trim()}`)
}
