/**
 * A process that removes deleted projects in small steps and kills itself after as many as its argument says: whoever is told of a step,
 * and kills it then, comes too late on a busy machine.
 */
import { readConfig } from '#platform/config.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { type Removal, removeProject } from './remove-project.ts'

const deps = makeWorkerDeps(await readConfig())
const { rows } = await deps.housekeeping.query<Removal>(
  'select * from project_removals where removed_at is null',
)
let left = Number(process.argv[2])
const housekeeping = {
  query: async (...args: [string, unknown[]]) => {
    const result = await deps.housekeeping.query(...args)
    if (--left === 0) process.kill(process.pid, 'SIGKILL')
    return result
  },
}
for (const removal of rows)
  await removeProject(
    {
      housekeeping: housekeeping as typeof deps.housekeeping,
      objects: deps.objects,
      log: deps.log,
      signal: new AbortController().signal,
      batch: 3,
    },
    removal,
  )
await deps.close()
