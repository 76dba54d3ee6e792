/** `npm run check`: lint and format (Biome), types (tsc), and the rules of the tree. `-- --fix` repairs what it can. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkLockFile } from './lock-file.ts'
import { readTexts, referenceFaults } from './reference-rule.ts'
import { faultsIn } from './rules.ts'
import { readSources } from './sources.ts'

/** What tsc remembers between two checks. */
const TYPES = 'node_modules/.cache/guildhall/types.json'
const ELEMENTS = 'node_modules/.cache/guildhall/types-of-elements.json'
const CONSOLE = 'node_modules/.cache/guildhall/types-of-console.json'

type Outcome = { name: string; passed: boolean; output: string }

const root = fileURLToPath(new URL('../..', import.meta.url))
const fix = process.argv.includes('--fix')

/** Runs a tool of node_modules and keeps what it prints. */
function tool(name: string, script: string, ...args: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [`${root}node_modules/${script}`, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ name, passed: false, output: error.message }))
    child.once('close', (code) => resolve({ name, passed: code === 0, output }))
  })
}

async function rules(): Promise<Outcome> {
  const sources = await readSources(root)
  const faults = [
    ...faultsIn(sources),
    ...referenceFaults(await readTexts(root), sources, (path) => existsSync(`${root}${path}`)),
    ...(await checkLockFile(root, fix)),
  ]
  return { name: 'rules of the tree', passed: faults.length === 0, output: faults.join('\n') }
}

/** The console has a lock file of its own, which the launcher and `npm run console:test` install: before that there is nothing to check by. */
function consoleTypes(): Promise<Outcome>[] {
  const tsc = 'apps/console/node_modules/typescript/bin/tsc'
  if (!existsSync(`${root}${tsc}`)) return []
  const project = ['-p', 'apps/console', '--noEmit', '--incremental', '--tsBuildInfoFile', CONSOLE]
  return [tool('types of the console', `../${tsc}`, ...project)]
}

const outcomes = await Promise.all([
  tool('lint and format', '@biomejs/biome/bin/biome', 'check', ...(fix ? ['--write'] : []), '.'),
  // In several threads it would do much of the work twice: 34 s of processor time on two cores, instead of 16.
  // What it found out of files that have not changed since is kept: 3 s of processor time in place of 16.
  tool(
    'types',
    'typescript/bin/tsc',
    '--noEmit',
    '--singleThreaded',
    '--incremental',
    '--tsBuildInfoFile',
    TYPES,
  ),
  // They are for browsers, whose types the rest of the tree must not see.
  tool(
    'types of the elements',
    'typescript/bin/tsc',
    '-p',
    'packages/elements',
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    ELEMENTS,
  ),
  ...consoleTypes(),
  rules(),
  tool('client library', '../infra/sdk/main.ts', '--check'),
])
for (const { name, passed, output } of outcomes) {
  console.log(`${passed ? '✓' : '✗'} ${name}`)
  if (!passed) console.log(`${output.trimEnd()}\n`)
}
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1
