/** Members with passwords and tokens, in numbers that no limit is met by. */
import type pg from 'pg'
import { makeDeps } from '#platform/deps.ts'
import { newUuid } from '#platform/ids.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { Passwords } from '#platform/secrets/passwords.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import type { Tenant } from '../data.ts'
import type { Server } from '../rig.ts'

/** What all members here log in with. */
export const PASSWORD = 'correct horse battery'

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
