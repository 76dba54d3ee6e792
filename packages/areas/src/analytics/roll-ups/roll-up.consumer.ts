import { defineKeyedConsumer, defineSweep } from '#platform/jobs/queues/work-signal.ts'
import { claimDay } from './claim.ts'
import { DayChanged, rollUpDay } from './roll-up-day.ts'

const NAME = 'analytics.roll-up'
/** A project keeps its place for so many days; then others have their turn. */
const DAYS_PER_TURN = 5

/** Rolls up the days of a project that are due, the oldest first. */
export const rollUpDays = defineKeyedConsumer({
  name: NAME,
  start: () => ({
    run: async (run) => {
      for (let i = 0; i < DAYS_PER_TURN && !run.signal.aborted; i++) {
        const claimed = await run.write((ctx) => claimDay(ctx, Date.now()))
        if (claimed === undefined) return undefined
        try {
          await run.write((ctx) => rollUpDay(ctx, claimed, Date.now()))
          run.log.info({ day: claimed.day }, 'a day of analytics was rolled up')
        } catch (error) {
          if (!(error instanceof DayChanged)) throw error
        }
      }
      return 0
    },
    close: async () => undefined,
  }),
})

/** Projects with days that are due, also after an outage of many days. */
export const dueDays = defineSweep({
  name: NAME,
  find: async (client, limit) => {
    const { rows } = await client.query<{ project_id: string; wait: number }>({
      name: 'sweep_analytics_days',
      text: `select project_id, (extract(epoch from min(due_at) - now()) * 1000)::float8 as wait
        from analytics_days where due_at <= now() and (lease_until is null or lease_until <= now())
        group by project_id order by min(due_at) limit $1`,
      values: [limit],
    })
    return rows.map(({ project_id: projectId, wait }) => ({
      lane: 'analytics' as const,
      consumer: NAME,
      projectId,
      key: projectId,
      delay: Math.min(wait, 0),
    }))
  },
})
