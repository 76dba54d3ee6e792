import { areas } from '#areas/areas.ts'
import { SEALED_FOR } from '#areas/mail/deliver-mail.job.ts'
import { catalogueOf } from '#platform/area.ts'
import type { JobRun } from '#platform/jobs/define-job.ts'
import { renderMail } from '#platform/mail/render-mail.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import type { TestApi } from '../../api.ts'
import type { Side } from '../../factories.ts'

/** A mail as its reader sees it. */
export interface MadeMail {
  readonly template: string
  readonly subject: string
  readonly text: string
}

interface Asked {
  id: string
  name: string
  payload: never
}
interface Stored {
  id: string
  mail: string
  sealed_values: Buffer
}

const { mails } = catalogueOf(areas)
const jobs = new Map(areas.flatMap(({ background }) => background?.jobs ?? []).map((job) => [job.name, job]))

/**
 * Makes the mails that were asked for until now, in the order in which they were asked for, as a worker does that comes to
 * it only now.
 * @returns all mails to a member, the oldest first
 */
export async function mailsTo(api: TestApi, side: Side, memberId: string): Promise<MadeMail[]> {
  const asked = await api.owner.query<Asked>(
    `delete from outbox where project_id = $1 and lane = 'mail' and name <> 'mail.send-mail' returning id, name, payload`,
    [side.projectId],
  )
  for (const { name, payload } of asked.rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    await jobs.get(name)?.run({ ...side, deps: api.deps, record: side.write } as unknown as JobRun, payload)
  const { body } = await side.admin.get<{ data: { email: string } }>(`/members/${memberId}`)
  const stored = await api.owner.query<Stored>(
    'select id, mail, sealed_values from mails where project_id = $1 and to_address = $2 order by id',
    [side.projectId, body.data.email],
  )
  return stored.rows.map((row) => toMail(api, row))
}

function toMail(api: TestApi, { id, mail, sealed_values }: Stored): MadeMail {
  const type = mails.get(mail)
  if (type === undefined) throw new Error(`there is no mail ${mail}`)
  const values = JSON.parse(makeProjectBox(api.config, SEALED_FOR).open(sealed_values, id))
  const look = { senderName: 'Guild', accentColor: '#000000', backgroundColor: '#ffffff', footer: '' }
  const { subject, text } = renderMail(type.texts, look, values)
  return { template: mail, subject, text }
}
