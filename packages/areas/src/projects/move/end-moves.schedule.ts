import { toId } from '#platform/ids.ts'
import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'

const EVERY_MS = 60_000
/** Tables of one run. */
const TABLES = 400

/**
 * By then every process has long known that the project lives elsewhere, whatever it was doing. A move that has begun since, such as the way
 * back, has the same fence and takes it away itself.
 */
const FENCED = `select id, live_id from project_moves
  where outcome = 'moved' and ended_at < now() - interval '1 hour' and unfenced_at is null
    and not exists (select from project_moves later where later.live_id = project_moves.live_id and later.ended_at is null)
  order by ended_at`

/** Takes fences of moves away that have ended, and forgets keys whose last token has expired. */
export const endMoves = defineSchedule({
  name: 'projects.end-moves',
  every: EVERY_MS,
  run: async ({ housekeeping, log, signal }) => {
    await housekeeping.query('delete from foreign_signing_keys where published_until < now()')
    const { rows } = await housekeeping.query<{ id: string; live_id: string }>(FENCED)
    for (const { id, live_id } of rows)
      for (let table = 0; table < TABLES && !signal.aborted; table++) {
        try {
          const { rows: left } = await housekeeping.query<{ left: boolean }>(
            'select app.unfence_moved($1) as left',
            [live_id],
          )
          if (left[0]?.left !== false) continue
          await housekeeping.query('update project_moves set unfenced_at = now() where id = $1', [id])
          break
        } catch (error) {
          log.warn(
            { err: error, project_id: toId('project', live_id) },
            'the fence of a move could not be taken away; it is tried again',
          )
          break
        }
      }
  },
})
