import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Config } from '#platform/config.ts'
import { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import { httpReceiver, type Receiver } from '#testkit/servers/receiver.ts'
import { providerFetch } from './provider-fetch.ts'

let receiver: Receiver
const outbound = new SafeFetch({ ALLOW_PRIVATE_NETWORKS: ['127.0.0.0/8', '::1'] } as Config)

beforeAll(async () => {
  receiver = await httpReceiver((request, response) =>
    response.end('x'.repeat(Number(request.url?.slice(1)) * 1_024)),
  )
})
afterAll(async () => {
  await outbound.close()
  await receiver.close()
})

test('a document of an OpenID provider is read up to 64 KiB, because it is kept in memory', async () => {
  const get = (kib: number) =>
    providerFetch(outbound)(`http://127.0.0.1:${receiver.port}/${kib}`, {
      ...{ method: 'GET', headers: {}, body: null, redirect: 'manual' },
    })
  expect(await (await get(60)).text()).toHaveLength(60 * 1_024)
  await expect(get(70)).rejects.toThrow()
})
