import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { fuzz } from '#testkit/fuzz/fuzz.ts'
import { FuzzWorld } from '#testkit/fuzz/fuzz-world.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { type StripeServer, startStripe } from '#testkit/stripe/server.ts'

// Every endpoint of the document, with requests that fast-check makes from it: a new route is covered the day it is added.
// `npm run security -- --fuzz 600` goes on with other seeds for 600 seconds.

const { seconds, seed: first } = inject('fuzz')
/** Requests to each endpoint in one round. */
const REQUESTS = 5

vi.setConfig({ testTimeout: seconds * 1_000 + 240_000, hookTimeout: 180_000 })

let s3: TestS3
/** An account may be connected by chance; nothing leaves this machine. */
let stripe: StripeServer
let api: TestApi
let world: FuzzWorld

beforeAll(async () => {
  s3 = await startS3()
  stripe = await startStripe()
  api = await startApi({
    environment: { ...s3.environment, ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1', STRIPE_API_URL: stripe.url },
  })
  world = await FuzzWorld.make(api)
})
afterAll(async () => {
  await api.close()
  await s3.close()
  await stripe.close()
})

test('no request makes a server error or an answer outside of the document, whoever sends it', async () => {
  const endpoints = api.contract.endpoints
  const end = Date.now() + seconds * 1_000
  for (let seed = first; ; seed++) {
    const { faults, requests, statuses, refusing } = await fuzz(api, world, endpoints, {
      seed,
      requests: REQUESTS,
    })
    if (seconds > 0)
      console.log(
        `seed ${seed}: ${requests} requests, ${JSON.stringify(statuses)}; refused all: ${refusing.join(' ')}`,
      )
    expect(faults.join('\n\n')).toBe('')
    // So that the requests are not all refused by authentication.
    expect((statuses[200] ?? 0) + (statuses[201] ?? 0)).toBeGreaterThan(requests / 10)
    if (Date.now() >= end) break
  }
})

test('nothing of another project changed', async () => {
  expect(await world.othersAreUnchanged()).toBe(true)
})
