import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWithRedis } from '#testkit/servers/redis.ts'
import { withoutStall } from '#testkit/without-stall.ts'
import { COMMON_FAULTS, REDIS_FAULTS } from './faults.ts'
import type { Backend } from './installation.ts'
import { openRig, type Rig } from './rig.ts'
import { type Fault, type Pace, play } from './scenario.ts'
import { faultsOf } from './verdict.ts'

// The short form of `npm run faults`: one fault of each kind, with short leases and little traffic. The others, each step
// at which a worker can die among them, take minutes and are run by hand (`npm run faults -- --quick`).
const KINDS = [
  'relay: after its commit',
  'answer: heard, not recorded',
  'kill -9 of the API',
  'PostgreSQL restarts',
  'Redis is killed',
  'FLUSHALL',
]
const short = (faults: readonly Fault[]) =>
  faults.filter(({ name }) => KINDS.some((kind) => name.includes(kind)))

const PACE: Pace = { rate: 25, before: 300, after: 300, recovery: 60_000, outage: 2_000 }
const LEASE_MS = 3_000
const SETTINGS = { LEASE_MS: String(LEASE_MS), SWEEP_MS: '250' }
const TIMEOUT_MS = 300_000

function suite(backend: Backend, faults: readonly Fault[]): void {
  let rig: Rig
  beforeAll(async () => {
    rig = await openRig({ backend, settings: SETTINGS })
  }, TIMEOUT_MS)
  afterAll(() => rig?.close(), TIMEOUT_MS)

  test.each(faults.map((fault) => [fault.name, fault] as const))(
    '%s: nothing is lost, and no more comes twice than was in flight',
    { timeout: TIMEOUT_MS },
    (_, fault) =>
      // A machine that stands still is a fault of its own: whoever holds messages has lost them to others, who send them too.
      withoutStall(LEASE_MS / 3, async () => {
        const outcome = await play(rig, fault, PACE)
        expect({ broken: faultsOf(outcome), committed: outcome.committed > 0 }).toEqual({
          broken: [],
          committed: true,
        })
      }),
  )
}

describe('with queues in PostgreSQL', () => suite('postgres', short(COMMON_FAULTS)))
describeWithRedis('with queues in Redis', () => suite('redis', short(REDIS_FAULTS)))
