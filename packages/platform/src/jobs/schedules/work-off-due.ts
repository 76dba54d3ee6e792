import { Type } from 'typebox'
import type { Context } from '../../db/tenant.ts'
import { defineJob, type Job } from '../define-job.ts'
import { enqueue } from '../enqueue.ts'
import { defineSchedule, type Schedule } from './define-schedule.ts'
import { type DueWork, isDue, whatIsDue } from './due-work.ts'

/** How often projects are asked what is due. */
const EVERY_MS = 20_000
const NAME = 'due.work-off'
const payload = Type.Object({ work: Type.String() })

/** Has a job work off what is due of one kind. */
export const enqueueDueWork = (ctx: Context, { name }: DueWork): void =>
  enqueue(ctx, { name: NAME, lane: 'due', payload }, { work: name })

/** Asks each project what is due, and has a job work it off. Jobs that meet do nothing twice. */
export const findDueWork = (all: readonly DueWork[]): Schedule =>
  defineSchedule({
    name: 'due.find',
    every: EVERY_MS,
    run: (run) =>
      run.inEachProject(async (ctx) => {
        for (const work of await whatIsDue(ctx, all)) enqueueDueWork(ctx, work)
      }),
  })

/** Works off what is due of one kind in one project. */
export const workOffDue = (all: readonly DueWork[]): Job<typeof payload> =>
  defineJob({
    name: NAME,
    lane: 'due',
    payload,
    attempts: 5,
    run: async (run, { work: name }) => {
      const work = all.find((each) => each.name === name)
      if (work === undefined) return
      while (!run.signal.aborted && (await run.write((ctx) => isDue(ctx, work)))) await work.workOff(run)
    },
  })
