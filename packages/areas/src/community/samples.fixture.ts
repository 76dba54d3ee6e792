import { newUuid, toId } from '#platform/ids.ts'
import type { Side } from '#testkit/factories.ts'
import { communityImportId } from './ids.ts'
import { finishImport, insertImport } from './imports/queries.ts'

/** An import that is over, so that there can be many; no file is needed. */
async function makeImport(side: Side): Promise<{ id: string }> {
  const id = newUuid()
  await side.write(async (ctx) => {
    await insertImport(ctx, { id, file_id: newUuid(), dry_run: true })
    await finishImport(ctx, { id, error: null })
  })
  return { id: toId(communityImportId, id) }
}

/** What the paths of imports name. */
export const samples = { cimp: makeImport }
