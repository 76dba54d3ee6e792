import { createHash, createHmac } from 'node:crypto'

/**
 * What a process may log in as. Each owns nothing and cannot pass row-level security.
 * - `api`: one project's data at a time, by `read` and `write`; its statements are planned for indexes
 * - `reports`: reads the same data, for reports and exports; planned by what tables hold
 * - `keys`: looks up API keys before their project is known
 * - `operator`: makes and lists projects
 * - `relay`: moves all projects' outbox rows to where the work is, and finds what is due
 * - `queue`: BullMQ's own schema, and nothing of ours
 * - `housekeeper`: sees and deletes what is past its time
 * - `webhooks`: sends all projects' events, and writes down what became of them
 * - `auditor`: reads the money of all projects, and writes nothing
 */
export const ROLES = [
  'api',
  'reports',
  'keys',
  'operator',
  'relay',
  'queue',
  'housekeeper',
  'webhooks',
  'auditor',
] as const
export type Role = (typeof ROLES)[number]

/** PostgreSQL cuts longer names off. */
const NAME_BYTES = 63

/** The login of a role in one database: its own name per database, because roles belong to the whole cluster. */
export function loginOf(
  databaseUrl: string,
  role: Role,
  secretKey: string,
): { user: string; password: string } {
  const database = decodeURIComponent(new URL(databaseUrl).pathname.slice(1))
  const password = createHmac('sha256', secretKey)
    .update(`database login ${database} ${role}`)
    .digest('base64url')
  const user = `guildhall_${role}_${database}`
  if (Buffer.byteLength(user) <= NAME_BYTES) return { user, password }
  const hash = createHash('sha256').update(database).digest('hex').slice(0, 32)
  return { user: `guildhall_${role}_${hash}`, password }
}

/** The database's address, with the role's login in place of whoever `databaseUrl` names. */
export function urlOf(databaseUrl: string, role: Role, secretKey: string): string {
  const { user, password } = loginOf(databaseUrl, role, secretKey)
  const url = new URL(databaseUrl)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  return url.href
}
