import { expect, test } from 'vitest'
import { notificationDigest } from '#areas/notifications/mails/mails.ts'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { memberData } from './member-data.ts'
import { makeSendMail } from './service.ts'

let api: TestApi
let side: Side

withProjects((opened, one) => {
  api = opened
  side = one.live
})

const send = (address: string, memberId?: string) =>
  side.write((ctx) =>
    makeSendMail(api.config)(ctx, notificationDigest, {
      to: { address, ...(memberId !== undefined && { memberId }) },
      values: notificationDigest.example,
    }),
  )
const uuid = (id: string) => parseId('member', id) ?? ''
/** The addresses of the mails in the export of a member. */
async function exported(id: string, email: string): Promise<unknown[]> {
  const people = { memberIds: [uuid(id)], emails: [email] }
  const page = await side.write(async (ctx) => memberData[0]?.list(ctx, people, null, 100))
  return page?.records.map(({ to_address }) => to_address) ?? []
}
const stored = async (like: string) =>
  (
    await api.owner.query('select 1 from mails where project_id = $1 and to_address like $2', [
      side.projectId,
      like,
    ])
  ).rowCount

test('mails are of the member they were written to, not of whoever has the address later', async () => {
  const email = 'ada@example.com'
  // Before there is a member, as an invitation is.
  await send('Ada@example.com')
  const first = await side.makeMember({ email })
  await send(email)
  await side.admin.delete(`/members/${first.id}`)
  const second = await side.makeMember({ email })
  await send(email)
  expect(await exported(first.id, 'none')).toEqual([email])
  expect(await exported(second.id, email)).toEqual(['Ada@example.com', email])
  await side.admin.delete(`/members/${first.id}?mode=anonymize`)
  expect(await exported(second.id, email)).toEqual(['Ada@example.com', email])
  expect(await stored('%@anonymized.invalid')).toBe(1)
})

test('mails to earlier addresses of a member, and to new ones that were never confirmed, are erased with the member', async () => {
  const { id } = await side.makeMember({ email: 'old@example.com' })
  await send('old@example.com')
  await side.admin.patch(`/members/${id}`, { email: 'present@example.com' })
  await send('present@example.com')
  await send('unconfirmed@example.com', uuid(id))
  expect(await exported(id, 'present@example.com')).toHaveLength(3)
  await side.admin.delete(`/members/${id}?mode=anonymize`)
  for (const name of ['old', 'present', 'unconfirmed']) expect(await stored(`${name}@%`)).toBe(0)
})
