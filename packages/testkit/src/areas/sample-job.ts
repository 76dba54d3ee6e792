import { Type } from 'typebox'
import { defineJob, type Job, type JobRun } from '#platform/jobs/define-job.ts'
import type { Lane } from '#platform/jobs/queues/lanes.ts'
import type { JobsEnvironment } from '../environments/jobs-environment.ts'

const Payload = Type.Object({ note: Type.String() })

/** A job that does what the test says, with the note that it was given. */
export function sampleJob(
  name: string,
  run: (run: JobRun, note: string) => Promise<void>,
  attempts = 3,
  lane: Lane = 'mail',
): Job<typeof Payload> {
  return defineJob({
    name,
    lane,
    payload: Payload,
    attempts,
    run: (jobRun, { note }) => run(jobRun, note),
  })
}

/** What is stored of a job; `wait` is the seconds until it is due. */
export interface JobRow {
  note: string
  state: string
  attempts: number
  last_error: string | null
  due_at: Date | null
  wait: number | null
}

/** The stored jobs of a name, by their note. */
export const jobsNamed = (env: JobsEnvironment, name: string): Promise<JobRow[]> =>
  env.sql<JobRow>(
    `select payload ->> 'note' as note, state, attempts, last_error, due_at,
       extract(epoch from due_at - now())::float8 as wait
     from jobs where name = $1 order by 1, id`,
    [name],
  )
