import { newUuid, toId } from '#platform/ids.ts'
import type { Side } from '#testkit/factories.ts'
import { suppressionId } from './ids.ts'
import { suppressAddress } from './queries.ts'

/** What the paths of mail name. */
export const samples = {
  sup: suppressSomebody,
}

/** An address that mail has bounced from. */
async function suppressSomebody(side: Side): Promise<{ id: string }> {
  const id = newUuid()
  const address = `${newUuid()}@example.com`
  await side.write(suppressAddress({ id, address, mail_id: newUuid(), smtp_response: '550 5.1.1' }))
  return { id: toId(suppressionId, id) }
}
