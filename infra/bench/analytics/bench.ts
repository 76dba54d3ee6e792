/** `npm run bench -- analytics`: what a site's events take on their way in, on disk, and in reports. */
import pg from 'pg'
import { migrate } from '#platform/migrate/migrate.ts'
import { loadMembers, makeTenant, pickMembers } from '../http/data.ts'
import { API, apiEnvironment } from '../http/variants.ts'
import { startGenerator } from '../load.ts'
import type { BenchOptions } from '../options.ts'
import type { Rig } from '../rig.ts'
import { loadEvents } from './data.ts'
import { benchIngestion } from './ingestion.ts'
import { benchReports } from './reports.ts'
import { benchRollUps } from './roll-ups.ts'

const FULL = { events: 50_000_000, seconds: 10 }
const QUICK = { events: 500_000, seconds: 3 }
const MEMBERS = 10_000

const say = (text: string) => process.stderr.write(`${text}\n`)

/** Runs the bench and prints its tables. */
export async function benchAnalytics(rig: Rig, { quick, rows }: BenchOptions): Promise<void> {
  const { events, seconds } = { ...(quick ? QUICK : FULL), ...(rows !== undefined && { events: rows }) }
  await migrate({ databaseUrl: rig.postgres.url, secretKey: rig.secretKey })
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  const generator = startGenerator()
  try {
    const tenant = await makeTenant(rig, ['read:members', 'read:analytics', 'write:analytics'])
    say(`Loading ${events.toLocaleString('en')} events …`)
    const loaded = await loadEvents(owner, tenant, events)
    await loadMembers(owner, [tenant], MEMBERS)
    await owner.query('vacuum (analyze)')
    await owner.query('checkpoint')
    say('Rolling them up …')
    await benchRollUps(rig, owner, tenant, loaded)
    await owner.query('vacuum (analyze) analytics_values, analytics_members, analytics_hours')
    const api = await rig.serve({ name: 'api', script: API, environment: apiEnvironment(rig) })
    // What has come since the last roll-up is counted from raw events.
    await track(api.origin, tenant.authorization)
    say('Reporting …')
    await benchReports(api, tenant, loaded)
    say('Taking events in …')
    const members = (await pickMembers(owner, tenant, 1_000)).map(({ id }) => `/api/v1/members/${id}`)
    await benchIngestion(rig, api, generator, { tenant, members, seconds })
  } finally {
    await generator.stop()
    await owner.end()
  }
}

/** A thousand page views of now, by a hundred visitors. */
async function track(origin: string, authorization: string): Promise<void> {
  const events = Array.from({ length: 1_000 }, (_, i) => ({
    type: 'pageview',
    url: `https://www.example.com/pages/${i % 200}`,
    ip: `198.51.100.${i % 100}`,
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  }))
  const answer = await fetch(`${origin}/api/v1/analytics/batch`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ events }),
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
}
