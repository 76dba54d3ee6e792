/** What an export is compared with: psql's COPY of the same columns, as the owner, whom no policy stops. */
import { spawn, spawnSync } from 'node:child_process'
import { StartError } from '../../start-error.ts'
import { FIELD_IDS, type FormTenant } from './data.ts'

/** @returns reads everything and answers how long it took, in seconds. @throws StartError on a machine without psql */
export function copyBy(databaseUrl: string, { form }: FormTenant): () => Promise<number> {
  if (spawnSync('psql', ['--version']).status !== 0) throw new StartError('bench csv needs psql')
  const columns = FIELD_IDS.map((id) => `data ->> '${id}'`)
  const select = `select id, created_at, member_id, ${columns}, ip, user_agent, referrer from form_submissions
    where form_id = '${form.uuid}' and status = 'received' order by created_at, id`
  return async () => {
    const start = performance.now()
    const child = spawn('psql', ['-Xq', '-d', databaseUrl, '-c', `copy (${select}) to stdout csv`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    if (code !== 0) throw new Error(`psql ended with ${code}`)
    return (performance.now() - start) / 1_000
  }
}
