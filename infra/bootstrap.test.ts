import { spawn } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, inject, test } from 'vitest'

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
