import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import { forbidden, invalidField } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { envelope, strict, Timestamp } from '#platform/http/envelope.ts'
import { type DueRun, projectNow } from '#platform/jobs/schedules/due-work.ts'
import { advanceClock, isTestSide, movedByMs } from './clock.ts'

const tags = ['Test clock']
const admin = { access: { secret: 'admin' } } as const
const FARTHEST_MS = 10 * 366 * 86_400_000

const TestClock = Type.Object(
  {
    now: Timestamp({
      description: 'The time of the clock',
    }),
    moved_by_seconds: Type.Number({
      description: 'How many seconds the clock is ahead of the real time',
      examples: [86400],
    }),
  },
  { title: 'TestClock' },
)
const Advance = strict(
  {
    to: Timestamp({
      description: 'The new time: at the earliest the present time of the clock, at most ten years after it',
    }),
  },
  { title: 'TestClockAdvance', examples: [{ to: '2026-12-21T09:00:00.000Z' }] },
)

const REASON = 'billing.test-clock'

export function testClockRoutes(api: Api, deps: AreaDeps): void {
  getTestClockRoute(api)
  advanceTestClockRoute(api, deps)
}

function getTestClockRoute(api: Api): void {
  api.get(
    '/test-clock',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'getTestClock',
        summary: 'Get the test clock',
        description:
          'Members, plans, billing, the shop, courses, rules, forms, discussions, feedback, the help center and invitations go by this clock. Analytics, files, exports, imports, mails, sessions, tokens, API keys, webhooks and the `timestamp` of events go by real time. Only the test side has a clock (403 on the live side).',
        response: { 200: envelope(TestClock) },
      },
    },
    async (request) => readTestClock(request),
  )
}

function advanceTestClockRoute(api: Api, { asSystem, config, log, catalogue }: AreaDeps): void {
  api.post(
    '/test-clock/advance',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'advanceTestClock',
        repeatCosts: true,
        summary: 'Move the test clock forward',
        description:
          'When the answer comes, everything that is due until then has happened: renewals, ends of trials, retries, reservations, grants, digests of discussions, and the permanent deletion of members. Each thing happens at its own time, in the order of time. The provider is asked once about payments that are not decided; a job asks again after the answer. The clock then continues from there. Only the test side has a clock (403 on the live side).',
        body: Advance,
        response: { 200: envelope(TestClock) },
      },
    },
    async (request) => {
      const { now } = await readTestClock(request)
      const to = new Date(request.body.to)
      if (to.getTime() < Date.parse(now)) throw invalidField('to', 'past', `must not be before ${now}`)
      if (to.getTime() > Date.parse(now) + FARTHEST_MS)
        throw invalidField('to', 'maximum', 'must be at most ten years ahead')
      const { projectId } = callerOf(request)
      // The system does due work, as on the live side, although somebody moves the clock.
      const run: DueRun = {
        projectId,
        deps: { config, log, catalogue },
        ...asSystem(projectId, REASON),
      }
      await advanceClock(run, catalogue.dueWork, to.toISOString())
      return readTestClock(request)
    },
  )
}

/** @throws ApiError 403 on the live side */
const readTestClock = async (request: FastifyRequest) => {
  const { isTest, now, moved } = await request.read({
    isTest: isTestSide(),
    now: projectNow(),
    moved: movedByMs(),
  })
  if (!isTest) throw forbidden('Only the test side of a project has a test clock')
  return { now, moved_by_seconds: moved / 1_000 }
}
