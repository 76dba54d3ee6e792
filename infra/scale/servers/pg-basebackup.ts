/** Runs `pg-basebackup.sh` with a PostgreSQL of Debian's packages: the npm package has no pg_basebackup. */
import { execFile } from 'node:child_process'
import { access, chown, copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { accountFor } from '../../postgres/account.ts'
import type { Report } from '../report.ts'

const VERSIONS = '/usr/lib/postgresql'
const SCRIPT = fileURLToPath(new URL('./pg-basebackup.sh', import.meta.url))

export async function judgeBaseBackup(report: Report, parent: string): Promise<void> {
  const found = await findPrograms()
  if (found === undefined)
    return report.notRun('pg_basebackup and a restore to a time', `no ${VERSIONS}/*/bin/pg_basebackup`)
  const folder = join(parent, 'pg-basebackup')
  await mkdir(folder)
  // Of a folder that is not there: the account that PostgreSQL runs as, where this one is root.
  const account = accountFor(join(folder, 'primary'))
  // That account need not reach this checkout.
  const script = join(folder, 'run.sh')
  await copyFile(SCRIPT, script)
  for (const path of account ? [folder, script] : []) await chown(path, account?.uid ?? 0, account?.gid ?? 0)
  const { stdout } = await promisify(execFile)('sh', [script, join(found.folder, 'bin'), folder], {
    ...account,
    cwd: '/',
  })
  report.add(
    `pg_basebackup of PostgreSQL ${found.version} and a restore to a time`,
    stdout.trim() === 'before' ? [] : [`these rows are there: ${stdout.trim()}`],
  )
}

/** The newest PostgreSQL that has it. */
async function findPrograms() {
  const versions = (await readdir(VERSIONS).catch(() => [])).sort((a, b) => Number(b) - Number(a))
  for (const version of versions) {
    const folder = join(VERSIONS, version)
    const isThere = await access(join(folder, 'bin', 'pg_basebackup')).then(
      () => true,
      () => false,
    )
    if (isThere) return { version, folder }
  }
  return undefined
}
