/**
 * package-lock.json names every optional package of every platform. npm leaves one out when the registry did not
 * offer it while the lock file was written, and then refuses its own file (`npm ci`: "Missing … from lock file").
 */
import { readFile, writeFile } from 'node:fs/promises'

type Locked = {
  version?: string
  resolved?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

/** The part of a lock file that the checks read. */
export type LockFile = { packages: Record<string, Locked> }

const OS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const CPU = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64']
const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/

/** The optional packages that are named by a locked one and are not locked themselves. */
function missing({ packages }: LockFile): { name: string; range: string; by: Locked; byName: string }[] {
  return Object.entries(packages).flatMap(([path, by]) =>
    Object.entries(by.optionalDependencies ?? {})
      .filter(([name]) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
      .map(([name, range]) => ({ name, range, by, byName: path.replace(/^.*node_modules\//, '') })),
  )
}

/** What is wrong with the lock file, a line each. */
export function lockFaults(lock: LockFile): string[] {
  const lacking = missing(lock).map(
    ({ name, byName }) => `package-lock.json lacks ${name}, optional for ${byName}: npm ci would refuse it`,
  )
  const bound = Object.entries(lock.packages)
    .filter(([, { resolved }]) => resolved)
    .map(([path]) => `package-lock.json binds ${path} to an address; a lock file names versions only`)
  return [...lacking, ...bound]
}

/**
 * Adds the missing platform packages, whose system is in their names. They carry no checksum, as there is nothing
 * to compute it from; npm completes the entry on the first machine that installs the package.
 */
export function completeLock(lock: LockFile): LockFile {
  const packages = { ...lock.packages }
  for (const { name, range, by } of missing(lock)) {
    const words = name.split(/[-/.]/)
    const os = OS.find((known) => words.includes(known))
    const cpu = CPU.find((known) => words.includes(known))
    if (!os || !cpu || !EXACT.test(range)) continue
    const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : undefined
    packages[`node_modules/${name}`] = {
      version: range,
      cpu: [cpu],
      ...(by.dev ? { dev: true } : {}),
      ...(libc ? { libc } : {}),
      optional: true,
      os: [os],
    }
  }
  // npm's own order, so that its next write changes nothing.
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
  return { ...lock, packages: Object.fromEntries(sorted) }
}

/** Checks the lock file of a checkout, after completing it where that is asked for. */
export async function checkLockFile(root: string, fix: boolean): Promise<string[]> {
  const path = `${root}package-lock.json`
  const lock = JSON.parse(await readFile(path, 'utf8')) as LockFile
  if (!fix || missing(lock).length === 0) return lockFaults(lock)
  const completed = completeLock(lock)
  await writeFile(path, `${JSON.stringify(completed, null, 2)}\n`)
  return lockFaults(completed)
}
