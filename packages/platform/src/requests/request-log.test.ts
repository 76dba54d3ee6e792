import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { makeLog } from '../telemetry/log.ts'
import { type LoggedRequest, RequestLog } from './request-log.ts'

const request: LoggedRequest = {
  ...{ projectId: 'p', at: 0, method: 'GET', route: '/', status: 200, ms: 1, keyId: null, memberId: null },
  ...{ operatorId: null, requestId: 'req_1', code: null },
}
const log = makeLog('silent', 'test')

test('what comes faster than it is written is dropped and counted, and no request waits', async () => {
  const registry = new Registry()
  const { promise, resolve } = Promise.withResolvers<void>()
  let written = 0
  const query = async (_text: string, [, , methods]: unknown[][]) => {
    await promise
    written += (methods as unknown[]).length
  }
  const requests = new RequestLog({ query } as never, registry, log)
  for (let i = 0; i < 15_000; i++) requests.note(request)
  resolve()
  await requests.close()
  // A batch of 1,000 is being written while 10,000 wait.
  expect(written).toBe(11_000)
  expect(await registry.metrics()).toContain('guildhall_request_log_dropped_total 4000')
})

test('what the database refuses is counted, and what comes after it is written', async () => {
  const registry = new Registry()
  const written: unknown[] = []
  let fails = true
  const query = async (_text: string, values: unknown[][]) => {
    if (fails) throw new Error('the database is away')
    written.push(values[9])
  }
  const requests = new RequestLog({ query } as never, registry, log)
  requests.note(request)
  await requests.flush()
  fails = false
  requests.note({ ...request, requestId: 'req_2' })
  await requests.close()
  expect(written).toEqual([['req_2']])
  expect(await registry.metrics()).toContain('guildhall_request_log_dropped_total 1')
})
