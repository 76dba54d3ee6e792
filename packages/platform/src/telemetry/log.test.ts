import { expect, test } from 'vitest'
import { makeLog } from './log.ts'

/** What a line of the log says, as an object. */
function logged(what: object): Record<string, unknown> {
  const lines: string[] = []
  const log = makeLog('info', 'tests', { write: (line) => lines.push(line) })
  log.info(what, 'logged')
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>
}

test('what could be a secret is not logged, at three levels and in errors', () => {
  const error = Object.assign(new Error('no'), { config: { token: 'hidden' }, secret: 'hidden' })
  const line = logged({
    authorization: 'hidden',
    request: { cookie: 'hidden', headers: { authorization: 'hidden', accept: 'shown' } },
    list: [{ password: 'hidden' }],
    err: error,
    status: 200,
  })
  expect(JSON.stringify(line)).not.toContain('hidden')
  expect(line).toMatchObject({
    authorization: '[redacted]',
    request: { headers: { accept: 'shown' } },
    list: [{ password: '[redacted]' }],
    err: { type: 'Error', message: 'no' },
    status: 200,
    name: 'tests',
    msg: 'logged',
  })
})

test('what is logged stays as it was', () => {
  const request = { headers: { authorization: 'kept' } }
  logged({ request })
  expect(request.headers.authorization).toBe('kept')
})
