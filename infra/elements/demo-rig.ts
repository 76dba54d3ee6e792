import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { startS3 } from '#testkit/servers/s3.ts'
import { makeDemoSite } from '../launcher/demo-site.ts'
import { freePort } from '../ports.ts'

export const PASSWORD = 'correct horse battery'

const FORM = {
  name: 'Apply',
  type: 'custom',
  fields: [
    { id: 'name', type: 'text', label: 'Your name', required: true },
    {
      id: 'topic',
      type: 'radio',
      label: 'Topic',
      options: [
        { value: 'a', label: 'Boats' },
        { value: 'b', label: 'Other' },
      ],
    },
    {
      id: 'other',
      type: 'text',
      label: 'Which other?',
      required: true,
      visible_if: { conditions: [{ field: 'topic', operator: 'equals', value: 'b' }] },
    },
    { id: 'code', type: 'text', label: 'Code', validation: { pattern: '[A-Z]{2}' } },
    { id: 'letter', type: 'file', label: 'Letter', required: true },
  ],
}

/** The demo site on an origin of its own, before an API with mails, a form, a thread and an idea. */
export interface DemoRig {
  readonly mails: MailEnvironment
  readonly side: Side
  readonly origin: string
  readonly folder: string
  readonly form: string
  readonly thread: string
  /** What a browser keeps of the log-in of a member. */
  session(memberId: string): Promise<string>
  close(): Promise<void>
}

export async function startDemoRig(): Promise<DemoRig> {
  const s3 = await startS3()
  // Links and pictures lead to BASE_URL, which has to be where this API listens.
  const port = String(await freePort())
  // Organizations whose servers let people in are on this machine.
  const place = {
    ...{ PORT: port, BASE_URL: `http://127.0.0.1:${port}` },
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1',
  }
  const mails = await startMailEnvironment({ ...place, ...s3.environment })
  const side = mails.one.test
  const author_id = await side.member()
  const { id: form } = (await side.admin.post<{ data: { id: string } }>('/forms', FORM)).body.data
  await side.admin.post(`/forms/${form}/publish`)
  const { discussion } = (
    await side.admin.post<{ discussion: { id: string } }>('/discussions', {
      ...{ title: 'The pier', content: 'Who comes **along**?', author_id, category: 'news' },
    })
  ).body
  await side.admin.post('/feedback', {
    type: 'feature',
    title: 'A night ferry',
    message: 'Please.',
    user_id: author_id,
  })
  await side.makePlan({ name: 'Crew', price: 9, currency: 'eur', interval: 'month' })
  let key = ''
  const folder = join(inject('servers').runFolder, `elements-${process.pid}`)
  const settings = async () => ({ api: mails.api.url, key, form, thread: discussion.id })
  const server: Server = makeDemoSite({ folder, origins: [mails.api.url], findSettings: settings })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // Passkeys need a domain.
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const shown = await side.makeKey({
    ...{ type: 'public', capabilities: ['catalog', 'submit'], allowed_origins: [origin] },
  })
  key = shown.key
  // Many visitors of one address.
  await mails.sql(
    `update projects set own_limits = '{"authentication": 1000, "member": 1000, "visitor": 1000}'`,
  )
  await mails.configure(side, { redirectUrls: [origin], emailConfirmation: true })
  const session = async (memberId: string) => {
    const { token } = await side.signIn(memberId)
    return JSON.stringify({ login: 'here', access: token, refresh: 'none', expires: Date.now() + 3_000_000 })
  }
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await mails.close()
    await s3.close()
  }
  return { mails, side, origin, folder, form, thread: discussion.id, session, close }
}

/** The focus, through shadow roots: what has it, as it is read aloud. */
export const FOCUSED = `(() => {
  let at = document.activeElement
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  return (at.getAttribute('aria-label') || at.labels?.[0]?.textContent || at.textContent || '').trim()
})()`

/** Presses Tab until the focus is where somebody wants to go. */
export async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let i = 0; i < 120; i++) {
    if (String(await page.evaluate(FOCUSED)).startsWith(name)) return
    await page.keyboard.press(key)
  }
  throw new Error(`The keyboard does not lead to '${name}'`)
}

/** What axe finds on a page, shadow roots included. */
export async function axeFaults(page: Page): Promise<string[]> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
  await page.evaluate(await readFile(path, 'utf8'))
  const rules = "{ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }"
  const found =
    await page.evaluate(`axe.run(document, ${rules}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ' ' + JSON.stringify(target) + ' ' + failureSummary)))`)
  return found as string[]
}

/** What a page complains about, such as breaking its own policy. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser itself reports each answer that refuses something.
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text())
  })
  return complaints
}
