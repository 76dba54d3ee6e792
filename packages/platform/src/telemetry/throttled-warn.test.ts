import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { withoutStall } from '#testkit/without-stall.ts'
import { throttledWarn } from './throttled-warn.ts'

async function flood(): Promise<void> {
  const lines: { msg: string; suppressed?: number; err: { message: string } }[] = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
  const complain = throttledWarn(log, 'Redis is away', 50)
  for (let i = 0; i < 100; i++) complain(new Error(`error ${i}`))
  expect(lines.map(({ msg, err, suppressed }) => [msg, err.message, suppressed])).toEqual([
    ['Redis is away', 'error 0', undefined],
  ])
  await sleep(60)
  complain(new Error('later'))
  complain(new Error('suppressed'))
  expect(lines.map(({ err, suppressed }) => [err.message, suppressed]).slice(1)).toEqual([['later', 99]])
}

test('a flood of errors is one line at once, and then one from time to time that counts the rest', () =>
  withoutStall(20, flood))

test('one line says that the errors are over, and the next error is logged at once', () => {
  const lines: { level: number; msg: string; seconds?: number }[] = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
  const warn = throttledWarn(log, 'Redis is away')
  warn.over()
  expect(lines).toEqual([])
  warn(new Error('refused'))
  warn(new Error('refused'))
  warn.over()
  warn.over()
  warn(new Error('refused again'))
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [40, 'Redis is away'],
    [30, 'over: Redis is away'],
    [40, 'Redis is away'],
  ])
  expect(lines[1]?.seconds).toBeGreaterThanOrEqual(0)
})
