import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { beginAttempt, enroll, makeQuiz, WRONG } from '#testkit/areas/lms.ts'
import { startJobs } from '#testkit/areas/member-imports.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { downloadFile } from './flows/exports.ts'
import { withConsole } from './rig.ts'

// Acts for which an operator had needed the API: of members, courses, feedback, webhooks, goals and the whole community.

let s3: TestS3
const rig = withConsole(async () => undefined, {
  environment: async () => {
    s3 = await startS3()
    return s3.environment
  },
})
afterAll(() => s3.close())

const auditedActs = async (target: string): Promise<unknown[]> => {
  const { rows } = await rig.api.owner.query(
    'select action, on_behalf_of is not null as for_member from audit_log where target = $1 order by created_at',
    [target],
  )
  return rows.map(({ action, for_member: isFor }) => [action, isFor])
}

describeWithBrowser('acts in the console', () => {
  test('a quiz is deleted only after its verb is typed; an attempt was read question by question before', async () => {
    const { test: side } = rig.one
    const { course, lesson, quiz } = await makeQuiz(side)
    const { id: enrollment, student_id: member } = await enroll(side, course.id)
    const attempt = await beginAttempt(side, quiz.id, member)
    await side.admin.post(`/lms/attempts/${attempt.id}/submit`, WRONG, { headers: { 'x-user-id': member } })
    const { page, complaints, close } = await rig.openAt(`members/${member}/courses`)
    await page.getByRole('link', { name: course.title }).click()
    await page.getByRole('button', { name: /^Show: “Quiz”, attempt 1/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('row', { name: / No$/ }).first().waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect(page.url()).toContain(enrollment)

    await page.goto(page.url().replace(/enrollments.*/, `lessons/${lesson.id}/quiz`))
    await page.getByRole('button', { name: 'Delete the quiz' }).click()
    const verb = dialog.getByRole('button', { name: 'Delete', exact: true })
    await verb.click()
    await dialog.getByText('This is another text').waitFor()
    await dialog.getByLabel('To go on, type: Delete').fill('delete')
    await verb.click()
    await page.getByRole('heading', { name: lesson.title, level: 1 }).waitFor()
    expect((await side.admin.get(`/lms/lessons/${lesson.id}/quiz`)).status).toBe(404)
    expect(await auditedActs(quiz.id)).toEqual([['quiz.delete', false]])
    expect(complaints.filter((each) => !each.includes('404'))).toEqual([])
    await close()
  })

  test('a vote is added and removed for a member, and the audit log has both', async () => {
    const { test: side } = rig.one
    const { id: member } = await side.makeMember({ full_name: 'Ada Lovelace' })
    const { body } = await side.admin.post<{ feedback: { id: string } }>('/feedback', {
      ...{ type: 'feature', title: 'A night ferry', message: 'Please.' },
    })
    const { id } = body.feedback
    const { page, complaints, close } = await rig.openAt(`feedback/${id}`)
    await page.getByRole('button', { name: 'Add a vote' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Search members').fill('lovelace')
    await dialog.getByLabel('Member', { exact: true }).selectOption(member)
    await dialog.getByRole('button', { name: 'Add the vote' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Remove the vote of/ }).click()
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Nobody has voted yet').waitFor()
    expect(await auditedActs(id)).toEqual([
      ['feedback.vote', true],
      ['feedback.unvote', true],
    ])
    expect(complaints).toEqual([])
    await close()
  })

  test('feedback that several members voted for is deleted only after the verb is typed', async () => {
    const { test: side } = rig.one
    const { body } = await side.admin.post<{ feedback: { id: string } }>('/feedback', {
      ...{ type: 'feature', title: 'A day ferry', message: 'Please.' },
    })
    const { id } = body.feedback
    for (let n = 0; n < 2; n++)
      await side.admin.put(`/feedback/${id}/vote`, { member_id: (await side.makeMember()).id })
    const { page, complaints, close } = await rig.openAt(`feedback/${id}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Its 2 votes and all its comments').waitFor()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('This is another text').waitFor()
    await dialog.getByLabel('To go on, type: Delete').fill('delete')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.waitForURL(/\/feedback$/)
    expect((await side.admin.get(`/feedback/${id}`)).status).toBe(404)
    expect(complaints).toEqual([])
    await close()
  })

  test('a member’s screen says what the member may use, and sends the confirmation mail again', async () => {
    const { test: side } = rig.one
    const { id: plan_id } = await side.makePlan({ name: 'Gold', features: ['loom'] })
    const { id } = await side.makeMember({ plan_id })
    const { page, complaints, close } = await rig.openAt(`members/${id}`)
    await page.getByText('Plan by').waitFor()
    await page.getByText('loom', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Send the confirmation mail again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await close()
  })

  test('a goal is changed, and two operators who change it are asked by field', async () => {
    const { test: side } = rig.one
    const { body } = await side.admin.post<{ data: { id: string } }>('/analytics/goals', { event: 'sign_up' })
    const { page, close } = await rig.openAt('analytics/goals')
    await page.getByRole('button', { name: /^Edit / }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name of the event').fill('signed_up')
    await side.admin.patch(`/analytics/goals/${body.data.id}`, { name: 'New members' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('New members').waitFor()
    await dialog.getByRole('button', { name: 'Load the change' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { body: now } = await side.admin.get<{ data: object }>(`/analytics/goals/${body.data.id}`)
    expect(now.data).toMatchObject({ name: 'New members', event: 'signed_up' })
    await close()
  })

  test('the secret of a webhook is shown after a question, and to no viewer', async () => {
    const { body } = await rig.one.test.admin.post<{ data: { id: string; secret: string } }>('/webhooks', {
      ...{ url: 'https://example.com/hook', events: ['*'] },
    })
    const { id, secret } = body.data
    const { page, close } = await rig.openAt(`webhooks/${id}`)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Show the secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('dialog').getByText(secret).waitFor()
    await close()
    const opened = await rig.openAt(`webhooks/${id}`, { who: rig.viewer })
    await opened.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await opened.page.getByRole('button', { name: 'More' }).count()).toBe(0)
    await opened.close()
  })

  test('the community is exported, and tried and imported again with its faults first', async () => {
    const { test: side } = rig.one
    const { id: author_id } = await side.makeMember()
    await side.admin.post('/discussion-categories', { name: 'Looms', slug: 'looms' })
    await side.admin.post('/discussions', {
      ...{ title: 'Which loom?', content: 'I begin.', category: 'looms', author_id },
    })
    const { page, complaints, close } = await rig.openAt('discussions/transfer')
    const { name, path } = await downloadFile(page, () =>
      page.getByRole('button', { name: 'Export the community' }).click(),
    )
    expect(name).toBe('community.ndjson')
    const text = await readFile(path, 'utf8')
    expect(text).toContain('Which loom?')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Try a file' }).click()
    const broken = `${text.trimEnd()}\n{"record":"discussion"}\n`
    await (await chooser).setFiles({
      ...{ name: 'community.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(broken) },
    })
    const worker = startJobs(rig.api, s3)
    await page.getByText('Only tried').waitFor()
    await page.getByRole('table', { name: 'Faults' }).waitFor()
    const count = async () =>
      (await rig.api.owner.query(`select from discussions where title = 'Which loom?'`)).rowCount
    expect(await count()).toBe(1)
    await page.getByRole('button', { name: /^Import \d+ lines?$/ }).click()
    await page.getByText('Imported', { exact: true }).waitFor()
    await page.getByText('Completed').waitFor()
    expect(await count()).toBe(2)
    // Who comes back to the address finds the import again.
    await page.reload()
    const ids = await downloadFile(page, () =>
      page.getByRole('button', { name: 'Download the new ids' }).click(),
    )
    expect(ids.name).toBe('community-ids.ndjson')
    const moved = (await readFile(ids.path, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const there = await rig.api.owner.query<{ id: string }>(
      `select app.public_id('disc', id) as id from discussions where title = 'Which loom?'`,
    )
    const discussion = moved.find(({ record }) => record === 'discussion')
    expect([discussion?.old_id, discussion?.new_id].sort()).toEqual(there.rows.map(({ id }) => id).sort())
    expect(complaints).toEqual([])
    await worker.stop()
    await close()
  })

  test('what visitors did is listed', async () => {
    await rig.one.test.admin.post('/analytics/pageview', {
      ...{ url: 'https://example.com/looms', ip: '192.0.2.1' },
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    })
    const { page, complaints, close } = await rig.openAt('analytics/events')
    await expect
      .poll(
        async () => {
          await page.reload()
          await page.getByRole('heading', { level: 1 }).waitFor()
          return page.getByText('/looms').count()
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(0)
    expect(complaints).toEqual([])
    await close()
  })
})
