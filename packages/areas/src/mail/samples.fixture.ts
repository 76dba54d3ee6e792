import { newUuid, toId } from '#platform/ids.ts'
import type { Side } from '#testkit/factories.ts'
import { mailId, suppressionId } from './ids.ts'
import { insertMail, suppressAddress } from './queries.ts'

/** What the paths of mail name. */
export const samples = {
  sup: suppressSomebody,
  mail: mailSomebody,
}

/** An address that mail has bounced from. */
async function suppressSomebody(side: Side): Promise<{ id: string }> {
  const id = newUuid()
  const address = `${newUuid()}@example.com`
  await side.write(suppressAddress({ id, address, mail_id: newUuid(), smtp_response: '550 5.1.1' }))
  return { id: toId(suppressionId, id) }
}

/** A mail that waits to be sent. */
async function mailSomebody(side: Side): Promise<{ id: string }> {
  const { email } = await side.makeMember()
  const id = newUuid()
  await side.write((ctx) =>
    insertMail(ctx, {
      ...{ id, mail: 'account_exists', to_address: email, to_name: '', member_id: null },
      ...{ sealed_values: Buffer.from('x'), useful_until: null, request_id: null },
    }),
  )
  return { id: toId(mailId, id) }
}
