/** Members with passwords, tokens and refresh tokens, in numbers that no limit is met by. */
import type pg from 'pg'
import { makeDeps } from '#platform/deps.ts'
import { newUuid } from '#platform/ids.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { Passwords } from '#platform/secrets/passwords.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import type { Tenant } from '../http/data.ts'
import type { Server } from '../rig.ts'

/** What all members here log in with. */
export const PASSWORD = 'correct horse battery'
/** Of the n-th refresh token: any text will do, because only its hash is known to the server. */
export const REFRESH_TOKEN = 'a refresh token of the bench, number {n}'

/** Access tokens of so many members, signed as the API signs them. */
export async function makeTokens(
  { databaseUrl, secretKey, origin }: { databaseUrl: string; secretKey: string; origin: Server['origin'] },
  { projectId }: Tenant,
  members: readonly { uuid: string }[],
): Promise<string[]> {
  const config = parseConfig({ DATABASE_URL: databaseUrl, SECRET_KEY: secretKey, BASE_URL: origin })
  const deps = await makeDeps(config, makeLog('silent', 'bench'))
  try {
    const tokens: string[] = []
    for (const { uuid } of members) {
      const { token } = await deps.accessTokens.issue({
        projectId,
        memberId: uuid,
        sessionId: newUuid(),
        role: 'member',
        aal: 'aal1',
        amr: ['password'],
      })
      tokens.push(token)
    }
    return tokens
  } finally {
    await deps.close()
  }
}

/** A session with a refresh token for each number from 1 to `count`, as the owner of the tables. */
export async function loadRefreshTokens(
  owner: pg.Client,
  { projectId }: Tenant,
  count: number,
): Promise<void> {
  await owner.query("select set_config('app.project_id', $1, false)", [projectId])
  await owner.query("update members set status = 'active' where project_id = $1 and status <> 'active'", [
    projectId,
  ])
  await owner.query(
    `create temporary table numbered as select n, uuidv7() as session_id,
       (select array_agg(id) from (select id from members where project_id = app.current_project() limit 1000) m) as ids
     from generate_series(1, $1::int) n`,
    [count],
  )
  await owner.query(
    `insert into sessions (id, member_id, aal, amr, expires_at)
     select session_id, ids[1 + n % 1000], 'aal1', '{password}', now() + interval '7 days' from numbered`,
  )
  await owner.query(
    `insert into refresh_tokens (id, session_id, hash, expires_at)
     select uuidv7(), session_id, sha256(convert_to(replace($1, '{n}', n::text), 'UTF8')), now() + interval '7 days'
     from numbered`,
    [REFRESH_TOKEN],
  )
  await owner.query('drop table numbered')
}

/** Gives so many members the same password. @returns their addresses */
export async function givePasswords(
  owner: pg.Client,
  { projectId }: Tenant,
  count: number,
): Promise<string[]> {
  const hash = await new Passwords().hash(PASSWORD)
  const { rows } = await owner.query<{ email: string }>(
    `with chosen as (select id, email from members where project_id = $1 and status = 'active' order by id limit $2),
       given as (insert into member_passwords (project_id, id, hash, updated_at) select $1, id, $3, now() from chosen)
     select email from chosen`,
    [projectId, count, hash],
  )
  return rows.map(({ email }) => email)
}

/** So many addresses of clients. */
export const clientAddresses = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`)
