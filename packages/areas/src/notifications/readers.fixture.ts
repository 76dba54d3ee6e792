import { expect } from 'vitest'
import { Forum, type Visitor } from '#areas/discussions/forum.fixture.ts'
import { updateDiscussionSettings } from '#areas/discussions/settings.ts'
import { updateProfileSettings } from '#areas/profiles/settings.ts'
import type { DueRun } from '#platform/jobs/schedules/due-work.ts'
import type { Environment } from '#platform/keys/key-format.ts'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import { mailNotifications } from './mails/mail-notifications.due.ts'
import type { Notification } from './schema.ts'

export interface List {
  data: Notification[]
  pagination: { next_cursor: string | null; total?: number }
}
/** A member with a token and a mailbox. */
export type Reader = Visitor & { readonly email: string }

/** Members who are notified, with the worker that notifies them. */
export class Readers {
  readonly mails: MailEnvironment
  readonly side: Side
  readonly forum: Forum
  #joined = 0

  private constructor(mails: MailEnvironment, environment: Environment) {
    this.mails = mails
    this.side = mails.one[environment]
    this.forum = new Forum(this.side)
  }

  /** @param environment the side that they are members of; the clock of the test side can be moved */
  static async open(environment: Environment = 'live'): Promise<Readers> {
    const readers = new Readers(await startMailEnvironment({}, ['mail', 'default', 'due']), environment)
    await readers.forum.category({ name: 'General' })
    await readers.side.write(async (ctx) => {
      await updateDiscussionSettings(ctx, { discussionUrl: 'https://forum.example.com/d/{id}' })
      await updateProfileSettings(ctx, { displayNameFrom: 'full_name' })
    })
    return readers
  }

  async join(input: object = {}): Promise<Reader> {
    const email = `reader${++this.#joined}@example.com`
    return { ...(await this.forum.join({ email, ...input })), email }
  }

  subscribe({ client }: Visitor, id: string) {
    return client.put(`/discussions/${id}/subscription`)
  }

  /** Waits until everything that was asked for is done. */
  async idle(): Promise<void> {
    const undone = `select id::text, name from outbox union all
      select id::text, name from jobs where state in ('queued', 'running') and due_at < now() + interval '5 minutes'`
    await expect.poll(() => this.mails.sql(undone), SOON).toEqual([])
  }

  /** All pages of a member's list. */
  async listOf(client: Client, query = ''): Promise<Notification[]> {
    await this.idle()
    const all: Notification[] = []
    let cursor = ''
    do {
      const { status, body } = await client.get<List>(`/notifications?limit=2${query}${cursor}`)
      expect(status).toBe(200)
      all.push(...body.data)
      const { next_cursor } = body.pagination
      cursor = next_cursor === null ? '' : `&cursor=${next_cursor}`
    } while (cursor !== '')
    return all
  }

  async unreadOf(client: Client): Promise<number> {
    const { body } = await client.get<{ data: { count: number } }>('/notifications/unread-count')
    return body.data.count
  }

  prefer(client: Client, changes: object) {
    return client.patch('/notifications/preferences', changes)
  }

  /** What due work is given. */
  get run(): DueRun {
    return { ...this.side, deps: { config: this.mails.api.config } } as unknown as DueRun
  }

  /** An hour passes since the last mails, and what is due is mailed, by so many workers at once. */
  async hourLater(workers = 1): Promise<void> {
    await this.idle()
    await this.mails.age('notification_preferences', 'last_mail_at', 3600)
    await this.mails.age('notifications', 'mail_at', 3600)
    await Promise.all(Array.from({ length: workers }, () => mailNotifications.workOff(this.run)))
    await this.idle()
  }
}
