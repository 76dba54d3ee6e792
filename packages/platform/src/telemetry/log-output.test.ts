import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { SOON } from '#testkit/soon.ts'
import { openLog } from './log.ts'
import { openLogOutput } from './log-output.ts'

/** A disk without room: every write fails with ENOSPC. */
const FULL = '/dev/full'

describe.runIf(existsSync(FULL))('a disk without room for the log', () => {
  test('is known, keeps lines, and once it has room, the log has them and says that it is over', async () => {
    const fd = openSync(FULL, 'w')
    const { log, output } = openLog('info', 'tests', openLogOutput(fd))
    log.info('before')
    await expect.poll(() => output.isUp, SOON).toBe(false)
    // The same number leads elsewhere: the log knows nothing of it, as of a disk that was cleaned up.
    const file = join(await mkdtemp(join(inject('servers').runFolder, 'log-')), 'log')
    closeSync(fd)
    expect(openSync(file, 'a')).toBe(fd)
    onTestFinished(() => closeSync(fd))
    await expect.poll(() => output.isUp, SOON).toBe(true)
    const lines = () =>
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    await expect.poll(lines, SOON).toEqual([
      expect.objectContaining({ msg: 'before' }),
      expect.objectContaining({
        msg: 'over: the log could not be written',
        seconds: expect.any(Number),
        lost: 0,
      }),
    ])
  })

  test('a process with it goes on, and ends when it has to', async () => {
    const out = openSync(FULL, 'w')
    onTestFinished(() => closeSync(out))
    const log = new URL('log.ts', import.meta.url)
    const code = `
      import { openLog } from ${JSON.stringify(log.href)}
      const { log, output } = openLog('info', 'tests')
      log.info('a line')
      const timer = setInterval(() => {
        if (output.isUp !== false) return
        clearInterval(timer)
        log.info('another line')
        process.stderr.write('goes on')
        process.exit(7)
      }, 10)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', out, 'pipe'],
    })
    // A process that tries for ever does not end by SIGTERM.
    onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    child.stderr?.on('data', (text) => {
      said += text
    })
    expect(await once(child, 'close')).toEqual([7, null])
    expect(said).toBe('goes on')
  })
})
