import { expect } from 'vitest'
import { COMMAND } from '#areas/projects/acts.ts'
import { moveProject } from '#areas/projects/move/begin.ts'
import { asReplica, openInstallation } from '#areas/projects/move/installation.ts'
import { DEFAULT_LIMITS } from '#areas/projects/move/move.ts'
import type { MoveReport } from '#areas/projects/move/move-project.ts'
import { removeDeleted } from '#areas/projects/removal/remove-deleted.schedule.ts'
import { listProjects } from '#areas/projects/service.ts'
import { newCellSecret } from '#platform/cells/cell-secret.ts'
import { addCell } from '#platform/cells/manage-cells.ts'
import { newWrappedKey } from '#platform/keys/project-keys.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import type { TestProject } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'

/** An installation that knows the others. */
export interface ChainCell {
  readonly name: string
  readonly api: TestApi
  /** `iss` of its access tokens. */
  readonly issuer: string
}

export const sidesOf = ({ live, test: other }: TestProject) => [live.projectId, other.projectId]

/** Installations with a database of their own each, on the server of the tests. Each knows all others. */
export async function openChain(names: readonly string[]): Promise<ChainCell[]> {
  const cells: ChainCell[] = []
  for (const name of names) {
    const issuer = `http://${name}.example`
    cells.push({ name, issuer, api: await startApi({ environment: { BASE_URL: issuer } }) })
  }
  for (const [at, one] of cells.entries())
    for (const other of cells.slice(at + 1)) {
      const secret = newCellSecret()
      for (const [to, of] of [
        [one, other],
        [other, one],
      ] as const)
        await addCell(to.api.owner, to.api.config, {
          ...{ name: of.name, url: of.api.url, secret, allowHttp: true },
        })
    }
  return cells
}

/** Sealing keys that every process knows, in all cells, so that no move waits for them. */
export async function giveKeys(project: TestProject, cells: readonly ChainCell[]): Promise<void> {
  for (const side of sidesOf(project)) {
    const wrapped = newWrappedKey(cells[0]?.api.database.secretKey ?? '', side)
    // Before its project, as a move hands it over.
    for (const { api } of cells)
      await asReplica(api.owner, (client) =>
        client.query(
          "insert into project_keys (id, wrapped, created_at) values ($1, $2, now() - interval '10 minutes')",
          [side, wrapped],
        ),
      )
  }
}

/** What made the keys of a project younger than a move wants them: it came here a moment ago. */
export const ageKeys = ({ api }: ChainCell) =>
  api.owner.query("update project_keys set created_at = created_at - interval '10 minutes'")

/** Removes the old copy that a move has left, a day early. */
export async function removeOldCopy({ project, live }: TestProject, { api }: ChainCell): Promise<void> {
  await api.owner.query('update project_removals set remove_after = now() where live_id = $1', [
    live.projectId,
  ])
  await expect
    .poll(async () => {
      await runSchedule(removeDeleted, api.config)
      return (await listProjects(api.operators)).some(({ id }) => id === project.id)
    }, SOON)
    .toBe(false)
}

/** Moves a project as the command does. @param meanwhile is called after each step, with its name */
export async function moveTo(
  project: TestProject,
  from: ChainCell,
  to: ChainCell,
  meanwhile: (step: string) => Promise<unknown> = async () => undefined,
): Promise<MoveReport> {
  const source = await openInstallation(from.api.config, 'here')
  const target = await openInstallation(to.api.config, 'target_environment')
  let following: Promise<unknown> = Promise.resolve()
  try {
    const report = await moveProject(
      {
        ...{ source, target, cell: to.name, as: from.name, limits: DEFAULT_LIMITS, by: COMMAND },
        say: (line) => {
          const [step = ''] = line.split(':')
          following = following.then(() => meanwhile(step))
        },
      },
      project.project.id,
    )
    await following
    return report
  } finally {
    await source.close()
    await target.close()
  }
}
