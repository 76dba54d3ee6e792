/** What can go wrong. Each has to end with nothing lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { STEPS, type Step } from './die-at.ts'
import type { Worker } from './installation.ts'
import type { Manner } from './receivers.ts'
import type { Rig } from './rig.ts'
import type { Fault } from './scenario.ts'
import type { Program, Server } from './servers.ts'

/** Milliseconds within which a process must have come to the step at which it dies. */
const REACH_MS = 30_000
/** Steps come round often; the one that is met in the middle of the traffic counts. */
const AFTER: Readonly<Partial<Record<Step, number>>> = { 'api: between commit and answer': 20 }

async function untilDead({ ended }: Program, step: string): Promise<void> {
  const reached = await Promise.race([ended.then(() => true), sleep(REACH_MS, false, { ref: false })])
  if (!reached) throw new Error(`nothing died at '${step}': the step was never reached`)
}

/** A worker is killed at a step, while another one goes on. */
function workerDies(step: Step): Fault {
  let doomed: Program | undefined
  return {
    name: `kill -9 of a worker, ${step}`,
    receivers: ['thoughtful', 'thoughtful', 'thoughtful'],
    inject: async (rig) => {
      doomed = await rig.startWorker({ dieAt: step, after: AFTER[step] ?? 3 })
      await untilDead(doomed, step)
    },
    mend: async () => doomed?.stop(),
  }
}

/** The API is killed between a commit and its answer, and started again. */
const apiDies: Fault = {
  name: 'kill -9 of the API, between commit and answer',
  inject: async (rig) => {
    const step = 'api: between commit and answer'
    await untilDead(await rig.restartApi({ dieAt: step, after: AFTER[step] ?? 1 }), step)
    await rig.restartApi()
  },
}

const redisOf = (rig: Rig): Server => {
  if (!rig.redis) throw new Error('this backend has no Redis')
  return rig.redis
}

/** Faults of Redis. */
export const REDIS_FAULTS: readonly Fault[] = [
  {
    name: 'Redis restarts',
    inject: async (rig) => {
      await redisOf(rig).kill('SIGTERM')
      await redisOf(rig).restart()
    },
  },
  {
    name: 'Redis is killed and restarts',
    inject: async (rig) => {
      await redisOf(rig).kill('SIGKILL')
      await redisOf(rig).restart()
    },
  },
  { name: 'FLUSHALL', inject: (rig) => command(redisOf(rig), 'FLUSHALL') },
  {
    name: 'Redis is frozen',
    inject: async (rig, { outage }) => {
      process.kill(redisOf(rig).pid, 'SIGSTOP')
      await sleep(outage / 4)
      process.kill(redisOf(rig).pid, 'SIGCONT')
    },
  },
  {
    name: 'Redis is gone for a while',
    inject: async (rig, { outage }) => {
      await redisOf(rig).kill('SIGKILL')
      await sleep(outage)
      await redisOf(rig).restart()
    },
  },
]

/** One command without a client that would repeat it. */
async function command(redis: Server, text: string): Promise<void> {
  const { connect } = await import('node:net')
  const socket = connect(Number(new URL(redis.url).port), '127.0.0.1')
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', () => resolve())
    socket.write(`${text}\r\n`)
  })
  socket.destroy()
}

/** Faults that every backend has to survive. */
export const COMMON_FAULTS: readonly Fault[] = [
  ...STEPS.filter((step) => !step.startsWith('api:')).map(workerDies),
  apiDies,
  {
    name: 'PostgreSQL restarts (immediate)',
    inject: async (rig) => {
      // What `pg_ctl stop -m immediate` sends.
      await rig.postgres.kill('SIGQUIT')
      await rig.postgres.restart()
    },
  },
  clocksApart(),
]

/** A worker joins whose clock is five minutes ahead, and does its share. */
function clocksApart(): Fault {
  let early: Worker | undefined
  return {
    name: 'two workers’ clocks are five minutes apart',
    inject: async (rig, { outage }) => {
      early = await rig.startWorker({ clockShiftMs: 5 * 60_000 })
      const deadline = Date.now() + REACH_MS
      while ((await early.delivered()) === 0) {
        if (Date.now() > deadline) throw new Error('the worker with the other clock has delivered nothing')
        await sleep(50)
      }
      await sleep(outage / 4)
    },
    mend: async () => early?.stop(),
  }
}

const BAD: readonly Manner[] = [
  'black hole',
  'slow',
  'trickling',
  'endless',
  'gzip bomb',
  'closing',
  'refusing',
]

/** Receivers that misbehave, beside healthy ones that must not feel it. */
export const RECEIVER_FAULTS: readonly Fault[] = [
  ...BAD.map(
    (manner): Fault => ({
      name: `a receiver is ${manner}`,
      beside: [manner],
      inject: (_, { outage }) => sleep(outage / 4),
    }),
  ),
  {
    name: 'a receiver is flapping',
    receivers: ['healthy', 'flapping'],
    inject: (_, { outage }) => sleep(outage / 4),
  },
  {
    name: '20 endpoints, one of them dead',
    receivers: Array<Manner>(19).fill('healthy'),
    beside: ['black hole'],
    inject: (_, { outage }) => sleep(outage / 4),
  },
]

/** Nothing happens: what receivers' faults are compared with. */
export const nothing = (endpoints: number): Fault => ({
  name: `nothing, ${endpoints} endpoints`,
  receivers: Array<Manner>(endpoints).fill('healthy'),
  inject: (_, { outage }) => sleep(outage / 4),
})
