import { sql } from 'kysely'
import { defineQuery } from '../db/query.ts'
import { IS_HELD, isResting } from '../db/resting.ts'
import { query } from '../db/statement.ts'
import type { ProjectData } from '../db/tenant.ts'

const findJob = defineQuery('why_job', (v: { id: string }) =>
  query
    .selectFrom('jobs as j')
    .select([
      'j.name',
      'j.lane',
      'j.state',
      'j.attempts',
      'j.due_at',
      'j.last_error',
      'j.finished_at',
      'j.created_at',
    ])
    .select([
      sql<boolean>`j.due_at <= now()`.as('is_due'),
      sql<boolean>`${sql.raw(IS_HELD)}`.as('is_held'),
      sql<boolean>`${sql.raw(isResting('j.project_id'))}`.as('rests'),
      sql<number>`(select count(*) from jobs o where o.lane = j.lane and o.due_at < j.due_at)::int`.as(
        'before',
      ),
    ])
    .where('j.id', '=', v.id),
).first()

/** Why a job waits, or what came of it, in sentences; undefined where the project has no such job. */
export async function whyJob(data: ProjectData, id: string): Promise<string[] | undefined> {
  const { found } = await data.read({ found: findJob({ id }) })
  if (found === undefined) return undefined
  const { name, lane, state, attempts } = found
  const why = [
    `${name} of the lane ${lane}, asked for at ${found.created_at}: ${state}, attempts: ${attempts}`,
  ]
  if (found.last_error !== null) why.push(`The last attempt failed: ${found.last_error}`)
  if (state === 'done') why.push(`It was done at ${found.finished_at}`)
  else if (state === 'failed') why.push(`It was given up at ${found.finished_at}`)
  else if (state === 'running')
    why.push(
      found.is_due
        ? 'Its worker has not renewed its lease: another one takes it over'
        : `A worker runs it, with a lease until ${found.due_at}`,
    )
  else if (!found.is_due) why.push(`It is not due before ${found.due_at}`)
  else if (found.is_held)
    why.push(
      'It waits because this installation does no work of its own: `guildhall sending status` says since when',
    )
  else if (found.rests)
    why.push('It waits because its project is suspended or deleted, or lives in another cell')
  else if (found.before > 0)
    why.push(`It is due, and ${found.before} jobs of this project and lane are due before it`)
  else
    why.push(
      `It is due and no worker has taken it: start one with --lanes ${lane}, or add one if all are busy`,
    )
  return why
}
