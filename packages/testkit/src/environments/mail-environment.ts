import pg from 'pg'
import { areas } from '#areas/areas.ts'
import type { Lane } from '#platform/jobs/queues/lanes.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { startApi, type TestApi } from '../api.ts'
import { makeProjects, type Side, type TestProject } from '../factories.ts'
import { startSmtp } from '../servers/smtp.ts'
import { SOON } from '../soon.ts'

/** A mail as its reader sees it. */
export interface ReadMail {
  readonly subject: string
  readonly text: string
  /** What its button leads to, and the token in that. */
  readonly link: string
  readonly token: string
  /** The six digits. */
  readonly code: string
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** Everything that letting members in takes: an API, a worker that makes and sends mails, and a server that takes them. */
export interface MailEnvironment {
  readonly api: TestApi
  readonly one: TestProject
  readonly other: TestProject
  /** The next mail to an address that nobody has read yet; waited for. */
  mailTo(address: string): Promise<ReadMail>
  /** How many mails there were to an address, once all that was asked for is made; what is for later is not waited for. */
  countMails(address: string): Promise<number>
  configure(side: Side, settings: { emailConfirmation?: boolean; redirectUrls?: string[] }): Promise<void>
  /** Lets time pass for what a column says. */
  age(table: string, column: string, seconds: number): Promise<void>
  /** Rows of a query of the owner's, across all projects. */
  sql<R extends object>(text: string, values?: unknown[]): Promise<R[]>
  /** Payloads of events, the oldest first. */
  events<P = { id: string }>(side: Side, type: string): Promise<P[]>
  close(): Promise<void>
}

/**
 * Opens with two projects; mails are made and sent within moments.
 * @param more environment variables of the API and the worker
 * @param lanes those that the worker serves
 */
export async function startMailEnvironment(
  more: Readonly<Record<string, string>> = {},
  lanes: readonly Lane[] = ['mail'],
): Promise<MailEnvironment> {
  const smtp = await startSmtp()
  const environment = { SMTP_URL: smtp.url, MAIL_FROM: 'no-reply@guild.example', SWEEP_MS: '300', ...more }
  const api = await startApi({ environment })
  const [one, other] = await makeProjects(api)
  const deps = makeWorkerDeps(api.config, makeLog('silent', 'worker'))
  const worker = startWorker({ deps, areas, lanes, finishMs: 5_000 })
  const owner = new pg.Pool({ connectionString: api.database.url, max: 2 })
  // Links to log in need a place to lead to.
  await owner.query("update projects set allowed_redirect_urls = '{https://site.example.com/back}'")
  const read = new Set<object>()

  const sql: MailEnvironment['sql'] = async <R extends object>(text: string, values: unknown[] = []) =>
    (await owner.query<R>(text, values)).rows
  const until = async <T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> => {
    const deadline = Date.now() + SOON.timeout
    for (;;) {
      const found = await find()
      if (found !== undefined) return found
      if (Date.now() > deadline) throw new Error('nothing came')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const sentTo = (address: string) =>
    smtp.mails.filter(({ envelope }) => envelope.to.some((to) => to.toLowerCase() === address.toLowerCase()))

  return {
    api,
    one,
    other,
    sql,
    mailTo: async (address) => {
      const mail = await until(() => sentTo(address).find((each) => !read.has(each)))
      read.add(mail)
      const text = mail.text ?? ''
      const link = /https?:\/\/\S+token=\S+/.exec(text)?.[0] ?? ''
      return {
        subject: mail.subject ?? '',
        text,
        link,
        token: link.split('token=')[1] ?? '',
        code: /^Your code: (\d{6})$/m.exec(text)?.[1] ?? '',
        headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
      }
    },
    countMails: async (address) => {
      const undone = `select 1 from outbox where lane = 'mail'
        union all select 1 from jobs where lane = 'mail' and state in ('queued', 'running')
          and due_at < now() + interval '5 minutes'`
      await until(async () => ((await sql(undone)).length === 0 ? true : undefined))
      return sentTo(address).length
    },
    configure: async (side, { emailConfirmation, redirectUrls }) => {
      await sql(
        `update projects set email_confirmation = coalesce($2, email_confirmation),
           allowed_redirect_urls = coalesce($3, allowed_redirect_urls) where id = $1`,
        [side.projectId, emailConfirmation, redirectUrls],
      )
    },
    age: async (table, column, seconds) => {
      await sql(`update ${table} set ${column} = ${column} - make_interval(secs => $1)`, [seconds])
    },
    events: async <P>(side: Side, type: string) =>
      (
        await sql<{ payload: P }>(
          'select payload from events where project_id = $1 and type = $2 order by id',
          [side.projectId, type],
        )
      ).map(({ payload }) => payload),
    close: async () => {
      await worker.stop()
      await deps.close()
      await owner.end()
      await api.close()
      await smtp.close()
    },
  }
}
