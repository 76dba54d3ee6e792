import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { makeExports } from '#areas/projects/transfer/make-exports.schedule.ts'
import { makeImports } from '#areas/projects/transfer/make-imports.schedule.ts'
import type { Schedule } from '#platform/jobs/schedules/define-schedule.ts'
import { makeOperator, setRole } from '#testkit/areas/console.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { withConsole } from './rig.ts'

let s3: TestS3
let folder: string
const rig = withConsole(undefined, {
  environment: async () => {
    s3 = await startS3()
    return s3.environment
  },
})
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-import-browser-'))
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

/** A worker with the login of the owner, for one run of a schedule. */
const work = (schedule: Schedule) =>
  runSchedule(schedule, { ...rig.api.config, DATABASE_OWNER_URL: rig.api.database.url })

describeWithBrowser('whole projects in the console', () => {
  test('an administrator exports a project, takes the archive, and brings one in by the storage', async () => {
    const chief = await makeOperator(rig.api, { administrator: true })
    await setRole(rig.api, rig.one.live.projectId, chief.id, 'viewer')
    const { page, close } = await rig.openAt('settings/danger', { who: chief })
    await work(makeExports)
    await page.getByRole('button', { name: 'Export the project' }).click()
    await page.getByLabel('Passphrase').fill('a passphrase of the tests')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const exports = page.getByRole('table', { name: 'Exports of the project' })
    await exports.getByText('Queued').waitFor()
    await work(makeExports)
    const link = exports.getByRole('link', { name: 'Download' })
    const archive = join(folder, 'archive.zip')
    const answer = await fetch((await link.getAttribute('href')) ?? '')
    await writeFile(archive, Buffer.from(await answer.arrayBuffer()))

    await page.goto(`${rig.api.url}/console/projects`)
    await page.getByRole('button', { name: 'Import a project' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Passphrase').fill('a passphrase of the tests')
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('Choose the archive of an export first.').waitFor()
    await dialog.locator('input[type=file]').setInputFiles(archive)
    await dialog.getByText(/archive\.zip \(/).waitFor()
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    const imports = page.getByRole('table', { name: 'Imports of projects' })
    await imports.getByText('Queued').waitFor()
    await work(makeImports)
    // The project that it has is here.
    await imports.getByText(/the archive has a project, .* that is in this installation already/).waitFor()
    await close()
  })
})
