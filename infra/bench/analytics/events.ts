/** Events as sites' servers send them, and the same rows sent to PostgreSQL as they are. */
import pg from 'pg'
import { COLUMNS } from '#areas/analytics/ingestion/write-hits.ts'
import { newUuid } from '#platform/ids.ts'
import type { Tenant } from '../data.ts'
import type { Rig } from '../rig.ts'

export const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36'
export const eventOf = (n: string): string =>
  `{"event":"play","ip":"198.51.100.7","user_agent":"${AGENT}","session_id":"s${n}","properties":{"plan":"supporter","steps":3}}`
/** So many events as one body, numbered after a text. */
export const batchOf = (size: number, before: string): string =>
  `{"events":[${Array.from({ length: size }, (_, i) => eventOf(`${before}${i}`)).join(',')}]}`

/** A row of the counterpart: as the API stores one of these events. */
const rowOf = (n: number): Record<keyof typeof COLUMNS, unknown> => ({
  ...(Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, null])) as Record<
    keyof typeof COLUMNS,
    null
  >),
  id: newUuid(),
  at: new Date(),
  received_at: new Date(),
  name: 'play',
  visitor: '5764607523034234881',
  bot: false,
  session_id: `s${n}`,
  source: 'Direct',
  channel: 'Direct',
  device: 'desktop',
  browser: 'Chrome',
  os: 'Windows',
  properties: '{"plan":"supporter","steps":3}',
})
const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]
const arrays = names.map((name, i) => `$${i + 1}::${COLUMNS[name]}[]`)
const stored = names.map((name) => (name === 'properties' ? 'properties::jsonb' : name))
const UNNEST = `insert into analytics_events (${names}) select ${stored} from unnest(${arrays}) as t (${names})`

/** The same rows without an API: each of the connections sends one statement after the other. @returns rows a second */
export async function insertBatches(
  { postgres }: Rig,
  { projectId }: Tenant,
  { seconds, rows, connections }: { seconds: number; rows: number; connections: number },
): Promise<number> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: postgres.url }))
  try {
    const end = performance.now() + seconds * 1_000
    let sent = 0
    await Promise.all(
      clients.map(async (client) => {
        await client.connect()
        // The runtime's role, so that policies are asked as they are of the API.
        await client.query('set role guildhall_api')
        await client.query("select set_config('app.project_id', $1, false)", [projectId])
        while (performance.now() < end) {
          const made = Array.from({ length: rows }, (_, i) => rowOf(sent + i))
          const values = names.map((name) => made.map((row) => row[name]))
          await client.query({ name: 'bench', text: UNNEST, values })
          sent += rows
        }
      }),
    )
    return sent / seconds
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}
