import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'

/** A disk without room: every write fails with ENOSPC. */
const FULL = '/dev/full'
const BEGIN = `
import { closeSync, openSync, readFileSync } from 'node:fs'
import { openLog } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)}
import { openLogOutput } from ${JSON.stringify(new URL('log-output.ts', import.meta.url).href)}
const until = async (isSo) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}
`

/** Runs a program whose standard output is such a disk. @returns what it ends with, and what it says as an error */
async function runOnFull(program: string, file = '') {
  const out = openSync(FULL, 'w')
  onTestFinished(() => closeSync(out))
  const args = ['--input-type=module', '-e', BEGIN + program, file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', out, 'pipe'] })
  // A process that tries for ever does not end by SIGTERM.
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr?.on('data', (text) => {
    said += text
  })
  const [code] = await once(child, 'close')
  return [code, said]
}

describe.runIf(existsSync(FULL))('a disk without room for the log', () => {
  test('is known, keeps lines, and once it has room, the log has them and says that it is over', async () => {
    const file = join(await mkdtemp(join(inject('servers').runFolder, 'log-')), 'log')
    // The same number of a file leads elsewhere: the log knows nothing of it, as of a disk on which somebody made room.
    const program = `
      const [, file] = process.argv
      const fd = openSync('${FULL}', 'w')
      const { log, output } = openLog('info', 'tests', openLogOutput(fd))
      log.info('before')
      await until(() => output.isUp === false)
      closeSync(fd)
      if (openSync(file, 'a') !== fd) throw new Error('another number')
      await until(() => readFileSync(file, 'utf8').includes('over'))
      process.exit(output.isUp ? 7 : 8)`
    expect(await runOnFull(program, file)).toEqual([7, ''])
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ msg: 'before' }),
      expect.objectContaining({
        msg: 'over: the log could not be written',
        seconds: expect.any(Number),
        lost: 0,
      }),
    ])
  })

  test('a process with it goes on, and ends when it has to', async () => {
    const program = `
      const { log, output } = openLog('info', 'tests')
      log.info('a line')
      await until(() => output.isUp === false)
      log.info('another line')
      process.stderr.write('goes on')
      process.exit(7)`
    expect(await runOnFull(program)).toEqual([7, 'goes on'])
  })
})
