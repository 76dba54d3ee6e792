import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { askedServer, collectServers } from './server-metrics.ts'

test('a server is asked when the metrics are read: it answers, refuses, answers nothing, and is back', async () => {
  const registry = new Registry()
  let answer: () => Promise<unknown> = async () => 'ok'
  collectServers(registry, { asked: askedServer(() => answer()), unused: { isUp: undefined } })
  const read = async () =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('guildhall_server_up{'))
  expect(await read()).toEqual(['guildhall_server_up{server="asked"} 1'])
  answer = () => Promise.reject(new Error('refused'))
  expect(await read()).toEqual(['guildhall_server_up{server="asked"} 0'])
  answer = async () => 'ok'
  expect(await read()).toEqual(['guildhall_server_up{server="asked"} 1'])
  answer = () => new Promise(() => undefined)
  expect(await read()).toEqual(['guildhall_server_up{server="asked"} 0'])
  answer = async () => 'ok'
  expect(await read()).toEqual(['guildhall_server_up{server="asked"} 1'])
})
