/** Members with passwords and tokens, in numbers that no limit is met by. */
import type pg from 'pg'
import { type Deps, makeDeps } from '#platform/deps.ts'
import { newUuid } from '#platform/ids.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { Passwords } from '#platform/secrets/passwords.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import type { Tenant } from '../data.ts'
import type { Server } from '../rig.ts'

/** What all members here log in with. */
export const PASSWORD = 'correct horse battery'

interface At {
  readonly databaseUrl: string
  readonly secretKey: string
  readonly origin: Server['origin']
}

/** Does something with what signs and verifies access tokens in the API. */
export async function withTokens<T>(
  { databaseUrl, secretKey, origin }: At,
  work: (tokens: Deps['accessTokens']) => Promise<T>,
): Promise<T> {
  const config = parseConfig({ DATABASE_URL: databaseUrl, SECRET_KEY: secretKey, BASE_URL: origin })
  const deps = await makeDeps(config, makeLog('silent', 'bench'))
  try {
    return await work(deps.accessTokens)
  } finally {
    await deps.close()
  }
}

/** Access tokens of so many members. */
export const makeTokens = (at: At, { projectId }: Tenant, members: readonly { uuid: string }[]) =>
  withTokens(at, async (accessTokens) => {
    const tokens: string[] = []
    for (const { uuid } of members) {
      const { token } = await accessTokens.issue({
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
  })

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
