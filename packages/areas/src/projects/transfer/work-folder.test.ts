import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inWorkFolder } from './work-folder.ts'

let place: string

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'work-folder-'))
  vi.stubEnv('TMPDIR', place)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(place, { recursive: true, force: true })
})

const MODULE = fileURLToPath(new URL('./work-folder.ts', import.meta.url))
/** A process that works in a folder until it is killed. */
async function startWorking() {
  const text = `const { inWorkFolder } = await import(${JSON.stringify(MODULE)})
    await inWorkFolder((folder) => { console.log(folder); return new Promise((resolve) => setTimeout(resolve, 60_000)) })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
    env: { TMPDIR: place },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, folder: line.toString().trim() }
}

test('a folder is removed after the work, also where it fails', async () => {
  await expect(inWorkFolder(async (folder) => access(join(folder, 'nothing')))).rejects.toThrow('ENOENT')
  expect(await inWorkFolder(async (folder) => access(folder))).toBe(undefined)
  expect(await readdir(place)).toEqual([])
})

test('what a killed process has left is removed by the next one, and what others still use is not', async () => {
  const killed = await startWorking()
  const working = await startWorking()
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')
  await inWorkFolder(async (folder) => {
    await inWorkFolder(async () => undefined)
    expect((await readdir(place)).sort()).toEqual(
      [folder, working.folder].map((path) => path.slice(place.length + 1)).sort(),
    )
  })
  working.child.kill('SIGKILL')
  await once(working.child, 'exit')
})
