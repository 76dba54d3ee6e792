import { newUuid, toId } from '#platform/ids.ts'
import type { Side } from '#testkit/factories.ts'
import { suppressionId } from './ids.ts'
import { listSuppressions } from './log-queries.ts'
import { suppressAddress } from './queries.ts'

/** What the paths of mail name. */
export const samples = {
  sup: suppressSomebody,
}

/** An address that mail has bounced from. */
async function suppressSomebody(side: Side): Promise<{ id: string }> {
  await side.inProject(async (ctx) =>
    suppressAddress(ctx, { address: `${newUuid()}@example.com`, mail_id: newUuid(), response: '550 5.1.1' }),
  )
  const { rows } = await side.inProject((ctx) => listSuppressions(ctx, { limit: 1 }))
  return { id: rows[0] ? toId(suppressionId, rows[0].id) : '' }
}
