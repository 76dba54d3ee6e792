import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeOperator, PASSWORD, setRole } from '#testkit/areas/console.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import { makeCourse, makeQuiz } from '#testkit/areas/lms.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { SOON } from '#testkit/soon.ts'
import { withConsole } from './rig.ts'

// A session ends while somebody types: whatever the form is, what was typed stays, and is sent after the log-in.

const made = { member: '', article: '', form: '', course: '', lesson: '', quiz: '' }
const rig = withConsole(async ({ one }) => {
  const side = one.test
  made.member = (await side.makeMember({ full_name: 'Ada' })).id
  made.form = (await makeForm(side)).id
  const article = await side.admin.post<{ data: { id: string } }>('/help/articles', {
    ...{ title: 'Knots', content: 'Old' },
  })
  made.article = article.body.data.id
  const course = await makeCourse(side)
  made.course = course.id
  made.lesson = `courses/${course.id}/lessons/${course.lessons[0]?.id}`
  const quiz = await makeQuiz(side)
  made.quiz = `courses/${quiz.course.id}/lessons/${quiz.lesson.id}/quiz`
})

interface Kind {
  readonly path: () => string
  /** Types something. */
  readonly type: (page: Page) => Promise<void>
  /** The button that sends it. */
  readonly verb: string
  /** What the API has after it, somewhere in its text. */
  readonly stored: string
  /** Asks for it with a key, or as the console does. */
  readonly at: () => string
  /** The button of the question before it is sent. */
  readonly confirm?: string
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
      ...{ verb: 'Save …', confirm: 'Save the rule', stored: '/kept/**', at: () => '/member-content' },
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
  [
    'a lesson',
    {
      path: () => made.lesson,
      type: (page) => page.getByLabel('Title', { exact: true }).fill('Kept lesson'),
      ...{ verb: 'Save', stored: 'Kept lesson', at: () => `/lms/courses/${made.course}` },
    },
  ],
  [
    'a quiz',
    {
      path: () => made.quiz,
      type: (page) => page.getByLabel('Text', { exact: true }).first().fill('Kept question?'),
      ...{
        verb: 'Save the quiz',
        stored: 'Kept question?',
        at: () => `/lms/${made.quiz.split('/').slice(2).join('/')}`,
      },
    },
  ],
  [
    'the texts of a mail beside their preview',
    {
      path: () => 'settings/mail/templates/verify_email',
      type: (page) => page.getByLabel('Subject').fill('Kept subject'),
      ...{ verb: 'Save', stored: 'Kept subject', at: () => '/mail/templates' },
    },
  ],
  [
    'settings',
    {
      path: () => 'settings/general',
      type: (page) => page.getByLabel('Months for which events are kept').fill('77'),
      ...{ verb: 'Save', stored: 'months":77', at: () => '/console/settings/test' },
    },
  ],
  [
    'a notification',
    {
      path: () => 'notifications',
      type: async (page) => {
        await page.getByLabel('Search members').fill('ada')
        await page.getByRole('button', { name: /^Add Ada/ }).click()
        await page.getByLabel('Text', { exact: true }).fill('Kept news')
        await page.getByRole('button', { name: 'Send', exact: true }).click()
        await page.getByRole('dialog').getByText('Kept news').waitFor()
      },
      ...{ verb: 'Send', stored: 'Kept news', at: () => '/notifications' },
    },
  ],
]

/** What is stored, as text. @param path of the API, or of the project in the console's own */
async function storedAt(path: string): Promise<string> {
  const { one, admin } = rig
  const ofMember = { headers: { 'x-user-id': made.member } }
  const { body } = path.startsWith('/console/')
    ? await admin.call<object>('GET', path.replace('/console', `/projects/${one.project.id}`))
    : await one.test.admin.get<object>(path, path === '/notifications' ? ofMember : {})
  return JSON.stringify(body)
}

describeWithBrowser('a session that ends in the middle of', () => {
  test.each(KINDS)('%s keeps what was typed', async (_, { path, type, verb, confirm, stored, at }) => {
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
    expect(await storedAt(at())).not.toContain(stored)
    await save.click()
    if (confirm) await page.getByRole('dialog').getByRole('button', { name: confirm }).click()
    await expect.poll(() => storedAt(at())).toContain(stored)
    await close()
  })
})

describeWithBrowser('a role that changes while somebody works', () => {
  test('lets what is still allowed through by one press, and says why the rest is gone', async () => {
    const who = await makeOperator(rig.api)
    const { live, test: side, project } = rig.one
    /** Every process knows of it then. */
    const become = async (role: 'owner' | 'viewer' | null) => {
      const token = await who.tokenFor(project.id)
      await setRole(rig.api, live.projectId, who.id, role)
      await expect.poll(async () => (await side.as(token).get('/members')).status, SOON).toBe(401)
    }
    await setRole(rig.api, live.projectId, who.id, 'admin')
    const { page, close } = await rig.openAt(`members/${made.member}`, { who })
    const save = async (name: string) => {
      await page.getByRole('button', { name: 'Edit' }).click()
      await inDialog(page, 'Name').fill(name)
      return page.getByRole('dialog').getByRole('button', { name: 'Save' })
    }
    const ofAdmin = await save('Ada of an owner')
    await become('owner')
    await ofAdmin.click()
    await page.getByRole('heading', { name: 'Ada of an owner', exact: true }).waitFor()
    const ofOwner = await save('Ada of a viewer')
    await become('viewer')
    await ofOwner.click()
    await page.getByText('Your role in this project has changed. It is now: viewer').waitFor()
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await become(null)
    await page.getByRole('link', { name: 'Orders', exact: true }).first().click()
    await page.getByText('You no longer have a role in this project.').waitFor()
    expect(await storedAt(`/members/${made.member}`)).toContain('Ada of an owner')
    await close()
  })
})
