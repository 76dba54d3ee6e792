import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { makeForm } from '#testkit/areas/forms.ts'
import { fileOf, uploadFile } from '#testkit/areas/storage/files.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { buildForm, dropFirst, publishArticle } from './flows/content.ts'
import { exportAnswers, makeExports } from './flows/exports.ts'
import { withConsole } from './rig.ts'

// Forms, page rules and the help center, as an operator makes them.

let s3: TestS3
let worker: { stop(): Promise<void> }
const rig = withConsole(
  async ({ api }) => {
    worker = makeExports(api, s3)
  },
  {
    environment: async () => {
      s3 = await startS3()
      return s3.environment
    },
  },
)
afterAll(async () => {
  await worker.stop()
  await s3.close()
})

describeWithBrowser('forms in the console', () => {
  test('a form is built and put in order by keyboard alone, visitors fill it in, and a file has what they sent', async () => {
    await exportAnswers(rig, await buildForm(rig))
  })

  test('a fault of a field is shown at the field', async () => {
    const form = await makeForm(rig.one.test)
    const { page, close } = await rig.openAt(`forms/${form.id}/edit`)
    await page.getByRole('row', { name: 'Your email' }).click()
    await page.getByLabel('Id', { exact: true }).fill('message')
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await page.getByText('is already the id of another field', { exact: true }).waitFor()
    expect(await page.getByLabel('Id', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await close()
  })

  test('submissions are searched, marked as spam, and shown with the member who sent them', async () => {
    const side = rig.one.test
    const { id, email } = await side.makeMember()
    const form = await makeForm(side, { name: 'Ask us' })
    for (const message of ['Hello from <b>Ada</b>', 'Ahoy'])
      await side.admin.post(`/forms/${form.id}/submissions`, {
        data: { email: 'ada@example.com', message },
        member_id: id,
      })
    const { page, complaints, close } = await rig.openAt(`forms/${form.id}?search=hello`)
    const list = page.getByRole('table', { name: 'Submissions' })
    await expect.poll(() => list.getByRole('row').count()).toBe(2)
    await list.getByRole('link').first().click()
    await page.getByText('Hello from <b>Ada</b>').waitFor()
    await page
      .getByRole('link', { name: new RegExp(email, 'i') })
      .or(page.locator('dd a'))
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Mark as spam' }).click()
    await page.getByRole('button', { name: 'This is no spam' }).waitFor()
    await page.getByRole('link', { name: 'All submissions' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const csv = await readFile(await (await download).path(), 'utf8')
    expect(csv).toContain('Ahoy')
    expect(csv).not.toContain('Hello from')
    expect(complaints).toEqual([])
    await close()
  })

  test('a viewer reads forms, articles and rules, and is offered no act', async () => {
    const form = await makeForm(rig.one.test)
    const { page, complaints, close } = await rig.openAt('forms', { who: rig.viewer })
    for (const path of ['forms', `forms/${form.id}`, 'page-rules', 'files', 'help', 'help/categories']) {
      await page.goto(`${rig.api.url}/console/${rig.one.project.id}/test/${path}`)
      await page.getByRole('heading').first().waitFor()
      await page.getByText('Loading …').waitFor({ state: 'detached' })
      for (const name of [/^Create a/, /^Write/, /^Upload/, /^Publish/, /^Delete/, /^Export/])
        expect([path, name, await page.getByRole('button', { name }).count()]).toEqual([path, name, 0])
    }
    expect(complaints).toEqual([])
    await close()
  })
})

describeWithBrowser('page rules in the console', () => {
  test('a rule says whom it changes before it is saved, and explains what happens to an address', async () => {
    const { page, complaints, close } = await rig.openAt('page-rules')
    const member = await rig.one.test.makeMember()
    await page.getByRole('link', { name: 'Create a rule' }).first().click()
    await page.getByLabel('Pages', { exact: true }).fill('no host and no path')
    await page.getByRole('button', { name: 'Save …' }).click()
    await expect
      .poll(() => page.getByLabel('Pages', { exact: true }).getAttribute('aria-invalid'))
      .toBe('true')
    await page.getByLabel('Pages', { exact: true }).fill('/courses/**')
    await page.getByRole('button', { name: 'Save …' }).click()
    await page.getByRole('dialog').getByText('This is what changes').waitFor()
    await page.getByRole('button', { name: 'Save the rule' }).click()
    await page.getByRole('heading', { name: '/courses/**' }).waitFor()
    await page.getByRole('link', { name: 'All page rules' }).click()
    await page.getByRole('link', { name: 'Explain an address' }).click()
    await page.getByLabel('Address of the page').fill('https://example.com/courses/knots?x=1')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('May not be seen').waitFor()
    await page.getByText('Somebody has to log in first').first().waitFor()
    await page.getByLabel(/^Member/).fill(member.email)
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('May be seen').waitFor()
    await page.getByLabel(/^Member/).fill('nobody@example.com')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('There is no such member').waitFor()
    expect(complaints).toEqual([])
    await close()
  })
})

describeWithBrowser('the help center in the console', () => {
  test('an article is written with its preview, published, translated, changed, and restored', async () => {
    await publishArticle(rig)
  })

  test('two operators write one translation: the second one sees what the first one has saved', async () => {
    const side = rig.one.test
    const { body } = await side.admin.post<{ data: { id: string } }>('/help/articles', {
      ...{ title: 'Knots', content: 'Tie them.' },
    })
    const path = `/help/articles/${body.data.id}/translations/de`
    const set = (title: string, content: string) => side.admin.put(path, { title, content })
    await set('Knoten', 'Knüpfe sie.')
    const { page, complaints, close } = await rig.openAt(`help/${body.data.id}/de`)
    await page.getByLabel('Title', { exact: true }).fill('Knoten von Ada')
    await set('Knoten von Grace', 'Binde sie.')
    await page.getByRole('button', { name: 'Save the translation' }).click()
    const conflict = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this' })
    await conflict.getByText('Binde sie.').waitFor()
    await conflict.getByLabel('Keep mine: Knoten von Ada').check()
    await conflict.getByRole('button', { name: 'Load the change' }).click()
    await page.getByRole('button', { name: 'Save the translation' }).click()
    const stored = async () =>
      (await side.admin.get<{ data: object }>(`/help/articles/${body.data.id}?locale=de`)).body.data
    await expect.poll(stored).toMatchObject({ title: 'Knoten von Ada', content: 'Binde sie.' })
    expect(complaints).toEqual([])
    await close()
  })

  test('a search that found nothing is shown with how often, and an article is written about it', async () => {
    const { key } = await rig.one.test.makeKey({ type: 'public', capabilities: ['catalog'] })
    await rig.one.test.as(key).get('/help/search?q=anchoring')
    const { page, complaints, close } = await rig.openAt('help/insights')
    const row = page.getByRole('row').filter({ hasText: 'anchoring' })
    await expect
      .poll(async () => {
        if ((await row.count()) === 0) await page.reload()
        return row.count()
      })
      .toBe(1)
    await page.getByText('Nobody has voted yet').waitFor()
    await page.getByRole('button', { name: 'Write an article about anchoring' }).click()
    expect(await page.getByRole('dialog').getByLabel('Title', { exact: true }).inputValue()).toBe('anchoring')
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('textbox', { name: 'Text' }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('categories are put in order by keyboard alone', async () => {
    const side = rig.one.test
    for (const name of ['First', 'Second', 'Third']) await side.admin.post('/help/categories', { name })
    const { page, complaints, close } = await rig.openAt('help/categories')
    const names = async () => {
      const { body } = await side.admin.get<{ categories: { name: string }[] }>('/help/categories')
      return body.categories.map(({ name }) => name)
    }
    await page.getByRole('row', { name: 'Third' }).waitFor()
    const before = await names()
    await page.getByRole('row', { name: before[2] ?? '' }).focus()
    await page.keyboard.press('ArrowRight')
    await dropFirst(page)
    await expect.poll(names).toEqual([before[2], before[0], before[1]])
    expect(complaints).toEqual([])
    await close()
  })
})

describeWithBrowser('files in the console', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
    'base64',
  )

  test('are uploaded, also large ones past the API, shown, and deleted after it was said what uses them', async () => {
    const { page, complaints, close } = await rig.openAt('files')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload files' }).click()
    await (await chooser).setFiles([
      { name: 'dot.png', mimeType: 'image/png', buffer: PNG },
      { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(9 * 1024 * 1024, 'x') },
    ])
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByText('Done', { exact: true }).count()).toBe(2)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'large.txt' }).waitFor()
    await page.getByText(/^9 MB of .* used, 2 files$/).waitFor()
    await page.getByRole('link', { name: 'dot.png' }).click()
    const picture = page.getByRole('img', { name: 'Preview of dot.png' })
    await expect.poll(() => picture.evaluate((each) => (each as HTMLImageElement).naturalWidth)).toBe(1)
    const [id] = /file_\w+/.exec(page.url()) ?? []
    await rig.one.test.admin.post('/shop/products', { name: 'Dot', price: 1, images: [id] })
    await page.reload()
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('Products: 1').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Files' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'dot.png' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await close()
  })

  test('are made public and deleted many at once, after their number and what uses them was said', async () => {
    const side = rig.one.test
    for (const name of ['one.txt', 'two.txt', 'three.txt'])
      expect((await uploadFile(side, fileOf('hello', name, 'text/plain'))).status).toBe(201)
    const { page, complaints, close } = await rig.openAt('files')
    const listed = async () =>
      (
        await side.admin.get<{ data: { name: string; visibility: string }[] }>(
          '/storage/files?sort=name&order=asc',
        )
      ).body.data
        .filter(({ name }) => /^(?:one|two|three)\.txt$/.test(name))
        .map(({ name, visibility }) => `${name} ${visibility}`)
        .toSorted()
    for (const name of ['one.txt', 'two.txt'])
      await page.getByRole('checkbox', { name: `Choose ${name}` }).press('Space')
    await page.getByText('2 chosen').waitFor()
    await page.getByRole('button', { name: 'Make public' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Everybody who knows the address').waitFor()
    await dialog.getByRole('button', { name: 'Change' }).click()
    await expect.poll(listed).toEqual(['one.txt public', 'three.txt private', 'two.txt public'])
    await dialog.getByText('2 done, 0 failed').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    for (const name of ['one.txt', 'two.txt'])
      await page.getByRole('checkbox', { name: `Choose ${name}` }).press('Space')
    await page.getByText('2 chosen').waitFor()
    await page.getByRole('region', { name: 'Chosen rows' }).getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('Deleted files cannot be restored').waitFor()
    await dialog.getByRole('textbox').fill('Delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(listed).toEqual(['three.txt private'])
    expect(complaints).toEqual([])
    await close()
  })
})
