import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PASSWORD } from '#testkit/areas/console.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { withConsole } from './rig.ts'

// A session ends while somebody types: whatever the form is, what was typed stays, and is sent after the log-in.

const made = { member: '', article: '', form: '' }
const rig = withConsole(async ({ one }) => {
  const side = one.test
  made.member = (await side.makeMember({ full_name: 'Ada' })).id
  made.form = (await makeForm(side)).id
  const article = await side.admin.post<{ data: { id: string } }>('/help/articles', {
    ...{ title: 'Knots', content: 'Old' },
  })
  made.article = article.body.data.id
})

interface Kind {
  readonly path: () => string
  /** Types something. */
  readonly type: (page: Page) => Promise<void>
  /** The button that sends it. */
  readonly verb: string
  /** What the API has after it, somewhere in its text. */
  readonly stored: string
  readonly at: () => string
}

const inDialog = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true })

const KINDS: readonly (readonly [name: string, kind: Kind])[] = [
  [
    'a form over a screen',
    {
      path: () => `members/${made.member}`,
      type: async (page) => {
        await page.getByRole('button', { name: 'Edit' }).click()
        await inDialog(page, 'Name').fill('Ada kept')
      },
      ...{ verb: 'Save', stored: 'Ada kept', at: () => `/members/${made.member}` },
    },
  ],
  [
    'a question over a screen',
    {
      path: () => 'invitations',
      type: async (page) => {
        await page.getByRole('button', { name: 'Invite', exact: true }).first().click()
        await page.getByRole('dialog').getByLabel('Email address').fill('kept@example.com')
      },
      ...{ verb: 'Send the invitation', stored: 'kept@example.com', at: () => '/invitations' },
    },
  ],
  [
    'a rule with its simulation',
    {
      path: () => 'page-rules/new',
      type: (page) => page.getByLabel('Pages', { exact: true }).fill('/kept/**'),
      ...{ verb: 'Save …', stored: '/kept/**', at: () => '/member-content' },
    },
  ],
  [
    'an article beside its preview',
    {
      path: () => `help/${made.article}`,
      type: (page) => page.getByRole('textbox', { name: 'Text' }).fill('Kept knots'),
      ...{ verb: 'Save the draft', stored: 'Kept knots', at: () => `/help/articles/${made.article}` },
    },
  ],
  [
    'the builder of forms',
    {
      path: () => `forms/${made.form}/edit`,
      type: async (page) => {
        await page.getByRole('row', { name: 'Your email' }).click()
        await page.getByLabel('What people read', { exact: true }).first().fill('Kept address')
      },
      ...{ verb: 'Save the draft', stored: 'Kept address', at: () => `/forms/${made.form}` },
    },
  ],
]

describeWithBrowser('a session that ends in the middle of', () => {
  test.each(KINDS)('%s keeps what was typed', async (_, { path, type, verb, stored, at }) => {
    const { page, close } = await rig.openAt(path())
    await type(page)
    await rig.admin.call('POST', '/logout', { scope: 'others' })
    const save = page.getByRole('button', { name: verb, exact: true }).last()
    await save.click()
    const logIn = page.getByRole('dialog', { name: 'Your session has ended' })
    await logIn.getByLabel('Email address').fill(rig.admin.email)
    await logIn.getByLabel('Password').fill(PASSWORD)
    await logIn.getByLabel('Password').press('Enter')
    await logIn.waitFor({ state: 'detached' })
    const text = async () => JSON.stringify((await rig.one.test.admin.get<object>(at())).body)
    expect(await text()).not.toContain(stored)
    await save.click()
    // A rule says whom it changes before it is saved.
    if (verb === 'Save …') await page.getByRole('button', { name: 'Save the rule' }).click()
    await expect.poll(text).toContain(stored)
    await close()
  })
})
