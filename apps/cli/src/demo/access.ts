import { invitationId } from '#areas/auth/ids.ts'
import { acceptInvitation, invite, revoke } from '#areas/auth/invitations/invitations.ts'
import { takeInvitation } from '#areas/auth/invitations/queries.ts'
import { endSession, openSession } from '#areas/auth/sessions/sessions.ts'
import { endMail, suppressAddress } from '#areas/mail/queries.ts'
import { makeSendMail } from '#areas/mail/service.ts'
import { requestData } from '#areas/members/data-export/request-data.ts'
import { beginImport, finishImport, markArrived } from '#areas/members/imports/queries.ts'
import { fileKey } from '#areas/members/imports/rows.ts'
import { runImport } from '#areas/members/imports/run-import.job.ts'
import { memberSuspendedMail } from '#areas/moderation/mails.ts'
import { sendMessage } from '#areas/notifications/messages/service.ts'
import { markReadBefore } from '#areas/notifications/queries.ts'
import { keepFile, receiveFile } from '#areas/storage/service.ts'
import { announceUpload } from '#areas/storage/uploads/uploads.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { DAY_MS } from './agenda.ts'
import { type DemoPlace, type Part, readPeople, type Scene } from './part.ts'
import { pictureOf } from './pictures.ts'

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
]

/** Invitations and sessions in every state. */
export const access: Part = {
  name: 'access',
  begin: async () => async (scene) => {
    const { ctx, agenda, dice } = scene
    const people = await readPeople(ctx)
    inviteSome(scene)
    await agenda.run()
    for (const [i, { id: memberId, role }] of people.slice(0, scene.many(60)).entries()) {
      const device = { ip: `203.0.113.${i % 250}`, userAgent: dice.one(AGENTS) }
      const amr = [i % 4 === 0 ? 'magic_link' : 'password']
      const { claims } = openSession(ctx, { memberId, role, aal: 'aal1', amr, device })
      if (i % 7 === 0) await endSession(ctx, memberId, claims.sessionId, 'logout')
    }
    const text = 'The winter magazine is out.'
    const told = people.slice(0, 20).map(({ id }) => id)
    const member_ids = told.map((id) => toId('member', id))
    await sendMessage(ctx, { text, url: 'https://example.com/magazine', member_ids })
    // Half of them have read it.
    const before = new Date(scene.place.now + DAY_MS).toISOString()
    for (const member of told.filter((_, i) => i % 2 === 0)) markReadBefore(ctx, { member, before })
    bounce(scene, people.at(-1)?.email)
  },
}

const NO_MAILBOX = '550 5.1.1 there is no such mailbox'

/** A mail that came back, and the next one, which is not sent. */
function bounce({ ctx, place }: Scene, address: string | undefined): void {
  if (address === undefined) return
  const sendMail = makeSendMail(place.config)
  const values = { reason: 'Advertising after two warnings', end: 'until a moderator ends it' }
  const id = sendMail(ctx, memberSuspendedMail, { to: { address }, values })
  endMail(ctx, { id, state: 'failed', error: 'bounced', smtp_response: NO_MAILBOX })
  suppressAddress(ctx, { id: newUuid(), address, mail_id: id, smtp_response: NO_MAILBOX })
  const next = sendMail(ctx, memberSuspendedMail, { to: { address }, values })
  endMail(ctx, { id: next, state: 'suppressed', error: 'bounced', smtp_response: null })
}

/** What becomes of an invitation. */
const FATES = ['accepted', 'expired', 'pending', 'revoked'] as const

function inviteSome({ ctx, agenda, place, ago, many }: Scene): void {
  const sendMail = makeSendMail(place.config)
  for (let n = 0; n < Math.max(FATES.length, many(24)); n++) {
    const fate = FATES[n % FATES.length]
    const days = fate === 'pending' ? 0.5 + n / 10 : 15 + 2.5 * n
    agenda.at(ago(days), async () => {
      const { id } = await invite(ctx, {
        email: `guest-${n + 1}@example.com`,
        full_name: `Guest ${n + 1}`,
        ...(n % 8 === 0 && { role: 'editor' }),
      })
      const stored = parseId(invitationId, id) ?? ''
      if (fate === 'revoked') agenda.at(ago(days - 2), () => revoke(ctx, stored))
      if (fate !== 'accepted') return
      agenda.at(ago(days - 1), async () => {
        const taken = await takeInvitation(ctx, { hash: null, id: stored })
        if (taken)
          await acceptInvitation(ctx, sendMail, taken, { passwordHash: undefined, fullName: undefined })
      })
    })
  }
}

const HEADER = 'email,full_name,status'
const GOOD = [
  'nadia@example.com,Nadia Rahmani,active',
  'olaf@example.com,Olaf Berg,active',
  'pia@example.com,Pia Moretti,inactive',
]
const BAD = ['not an address,Nobody,active', 'quentin@example.com,Quentin,asleep', ...GOOD.slice(0, 1)]

/** Files of the project, an upload that has not arrived, imports that went well, with faults and not at all, and an archive. */
export const files: Part = {
  name: 'files',
  begin: async (place) => {
    if (!place.objects.isSetUp) return async () => undefined
    const received = await Promise.all(
      NAMES.map(({ name, type }, i) =>
        receiveFile(place, place.data, { name, type, bytes: contentOf(type, i) }),
      ),
    )
    await announceUpload(
      place,
      place.data,
      { name: 'catalogue.pdf', size: 250_000, content_type: 'application/pdf' },
      null,
    )
    const imports = [
      { id: await putImport(place, GOOD), rows: GOOD.length },
      { id: await putImport(place, BAD), rows: BAD.length },
    ]
    return async ({ ctx }) => {
      for (const [i, file] of received.entries())
        await keepFile(ctx, place, file, { visibility: i % 2 === 0 ? 'public' : 'private', ownerId: null })
      for (const { id, rows } of imports) {
        if ((await beginImport(ctx, { id })) === undefined) continue
        await markArrived(ctx, { id, columns: HEADER.split(','), total_rows: rows, dry_run: false })
        enqueue(ctx, runImport, { import_id: id })
      }
      const failed = newUuid()
      if ((await beginImport(ctx, { id: failed })) !== undefined) {
        await markArrived(ctx, { id: failed, columns: HEADER.split(','), total_rows: 40, dry_run: false })
        await finishImport(ctx, { id: failed, state: 'failed' })
      }
      const [first] = await readPeople(ctx)
      if (first !== undefined) await requestData(ctx, { member_id: first.id }, place.objects)
    }
  },
}

const NAMES = [
  { name: 'Logo.png', type: 'image/png' },
  { name: 'Terms.txt', type: 'text/plain' },
  { name: 'Muster für Socken.txt', type: 'text/plain' },
  { name: 'نمط الشال.txt', type: 'text/plain' },
  { name: '围巾图案.png', type: 'image/png' },
  { name: 'Stock.csv', type: 'text/csv' },
] as const

async function* contentOf(type: string, number: number): AsyncGenerator<Buffer> {
  if (type === 'image/png') yield* pictureOf(300 + number)
  else
    yield Buffer.from(
      `Row,Stitches\n${Array.from({ length: 40 }, (_, row) => `${row + 1},${24 + number}`).join('\n')}\n`,
    )
}

/** Stores the file of an import that is about to begin. */
async function putImport({ objects, data }: DemoPlace, rows: readonly string[]): Promise<string> {
  const id = newUuid()
  const projectId = await data.write(({ projectId: project }) => project)
  const text = `${[HEADER, ...rows].join('\n')}\n`
  await objects.put(fileKey(projectId, id), bytesOf(text))
  return id
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
