import { expect, onTestFinished, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import { fileOf, formOf, type StorageEnvironment, withStorage } from '#testkit/areas/storage/files.ts'
import { formId, submissionId } from '../ids.ts'
import type { Receipt } from '../submissions/schema.ts'
import { removeForm } from './remove-form.job.ts'

let env: StorageEnvironment

withStorage((opened) => {
  env = opened
})

test('a deleted form goes with all its submissions and their files', async () => {
  const { side } = env
  const own = await makeForm(side, { fields: [{ id: 'photo', type: 'file', label: 'Photo' }] })
  const one = await side.admin.post<{ data: Receipt }>(
    `/forms/${own.id}/submissions`,
    undefined,
    await formOf({ data: '{}', photo: fileOf('a photo') }),
  )
  expect(one.status).toBe(201)
  const id = parseId(formId, own.id)
  await env.sql(
    `insert into form_submissions (project_id, id, form_id, form_version, data, created_at)
     select project_id, gen_random_uuid(), form_id, 1, '{}', now() from form_submissions, generate_series(1, 2500)
     where form_id = $1`,
    [id],
  )
  const [file] = await env.sql<{ file_id: string }>(
    `select file_id from file_attachments where target_id = $1`,
    [parseId(submissionId, one.body.data.id)],
  )
  await side.admin.delete(`/forms/${own.id}`)
  const deps = makeWorkerDeps(env.api.config)
  const worker = startWorker({
    deps,
    background: { jobs: [removeForm], schedules: [], consumers: [], fanOuts: [], sweeps: [] },
    lanes: ['exports'],
    finishMs: 2_000,
  })
  const left = async () => {
    const [row] = await env.sql<{ forms: number; versions: number; submissions: number; files: number }>(
      `select (select count(*)::int from forms where id = $1) as forms,
         (select count(*)::int from form_versions where form_id = $1) as versions,
         (select count(*)::int from form_submissions where form_id = $1) as submissions,
         (select count(*)::int from files where id = $2) as files`,
      [id, file?.file_id],
    )
    return row
  }
  onTestFinished(async () => {
    await worker.stop()
    await deps.close()
  })
  await expect.poll(left).toEqual({ forms: 0, versions: 0, submissions: 0, files: 0 })
})
