import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, inject, test } from 'vitest'

const BOOTSTRAP = fileURLToPath(new URL('./bootstrap.mjs', import.meta.url))

const SCRIPT = `
type Seen = string[]
const seen: Seen = process.argv.slice(2)
process.on('SIGTERM', () => process.exit(7))
console.log(JSON.stringify(seen))
if (seen[0] === 'wait') setInterval(() => {}, 1_000)
process.exitCode = 3
`

let script = ''

beforeAll(async () => {
  const folder = await mkdtemp(join(inject('servers').runFolder, 'a script '))
  script = join(folder, 'script.ts')
  await writeFile(script, SCRIPT)
})

function run(...args: string[]) {
  const child = spawn(process.execPath, [BOOTSTRAP, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  return { child, ended }
}

test('a TypeScript file runs with exactly its arguments, and its exit code is the command’s', async () => {
  const args = ['two words', '', '*', '$HOME', '--flag=1', "it's"]
  const { code, stdout } = await run(script, ...args).ended
  expect(JSON.parse(stdout)).toEqual(args)
  expect(code).toBe(3)
})

test('a signal reaches the script, which decides how it ends', async () => {
  const { child, ended } = run(script, 'wait')
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.kill('SIGTERM')
  expect((await ended).code).toBe(7)
})

test('a script that is not there is one sentence', async () => {
  const { code, stderr } = await run('infra/no-such.ts').ended
  expect(stderr).toMatch(/^There is no script .*no-such\.ts\.\n$/)
  expect(code).toBe(1)
})

describe('dependencies that npm ci has installed', () => {
  /** Starts a script in a checkout with one package, where npm cannot be found. */
  async function start(there: object) {
    const root = await mkdtemp(join(inject('servers').runFolder, 'a checkout '))
    for (const folder of ['infra', 'node_modules']) await mkdir(join(root, folder))
    await cp(BOOTSTRAP, join(root, 'infra', 'bootstrap.mjs'))
    const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages })
    await writeFile(join(root, 'package-lock.json'), lock({ '': {}, 'node_modules/a': { version: '1.0.0' } }))
    await writeFile(join(root, 'node_modules', '.package-lock.json'), lock({ 'node_modules/a': there }))
    await writeFile(join(root, 'script.mjs'), "console.log('it runs')")
    const args = [join(root, 'infra', 'bootstrap.mjs'), join(root, 'script.mjs')]
    const child = spawn(process.execPath, args, { env: { PATH: root } })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    await new Promise((resolve) => child.once('close', resolve))
    return output
  }

  test('are not installed once more', async () => {
    const own = { version: '1.0.0', os: [process.platform], cpu: [process.arch] }
    for (const there of [own, { version: '1.0.0' }, { version: '1.0.0', os: ['!other'] }])
      expect(await start(there)).toBe('it runs\n')
  })

  test('are installed anew where they are of another version, or for another kind of machine', async () => {
    for (const there of [
      { version: '1.0.1' },
      { version: '1.0.0', os: ['other'] },
      { version: '1.0.0', cpu: [`!${process.arch}`] },
    ])
      expect(await start(there)).toContain('Installing the dependencies')
  })
})
