/** One abuse beside a calm client. */
import pg from 'pg'
import { areas } from '#areas/areas.ts'
import { permissionsOf } from '#platform/area.ts'
import { loadMembers, makeKeys, makeTenants } from '../../bench/data.ts'
import type { Abuse, Made, Site } from './abuse.ts'
import { sendAttack } from './attack.ts'
import { type Calm, prepareCalm, workCalmly } from './calm.ts'
import { profile } from './profile.ts'
import type { Servers, Usage, Watched } from './servers.ts'
import type { Outcome } from './verdict.ts'

/** A client that has work to do. */
export interface CalmClient {
  work(origin: string, seconds: number): Promise<Calm[]>
}

export interface Pace {
  readonly seconds: number
  /** Of the client alone, before each abuse; 0 where clocks are not looked at. */
  readonly secondsAlone: number
  /** 1, or less: the part of the data that is made. */
  readonly size: number
  /** Whether standard error is told what the processes used and waited for. */
  readonly isProfiled?: boolean
}

/** What an Enterprise key may ask by itself: 10,000 requests a minute. */
const OF_ABUSER = 10_000
const OF_CALM = 1_000_000
const MEMBERS = 2_000
const CONNECTIONS = 8
const ADDRESS = '198.51.100.7'
const SAMPLE_MS = 100

/** Makes the project of the calm client. */
export async function makeCalmClient(servers: Servers): Promise<CalmClient> {
  const { site, close } = await openSite(servers, OF_CALM)
  try {
    const wanted = await prepareCalm(site)
    await loadMembers(site.owner, [site], MEMBERS)
    await site.owner.query('analyze')
    // What is compiled for the first request is not measured.
    await workCalmly(site, wanted, 0.5)
    return { work: (origin, seconds) => workCalmly({ ...site, origin }, wanted, seconds) }
  } finally {
    await close()
  }
}

/** Plays an abuse. */
export async function play(servers: Servers, calm: CalmClient, abuse: Abuse, pace: Pace): Promise<Outcome> {
  const { site, close } = await openSite(servers, OF_ABUSER)
  try {
    const requests = await abuse.prepare(site, pace.size)
    const alone = pace.secondsAlone > 0 ? await calm.work(servers.origin, pace.secondsAlone) : undefined
    const usage = watchUsage(servers.watched)
    const { name, connections = CONNECTIONS, manner = 'plain' } = abuse
    const attack = {
      origin: servers.origin,
      address: ADDRESS,
      connections,
      seconds: pace.seconds,
      manner,
      requests,
    }
    const endProfile = pace.isProfiled === true ? await profile(servers.place.databaseUrl) : undefined
    const [sent, beside] = await Promise.all([sendAttack(attack), calm.work(servers.origin, pace.seconds)])
    for (const line of (await endProfile?.()) ?? []) process.stderr.write(`  ${line}\n`)
    const dead = servers.watched.filter((each) => !each.isAlive()).map((each) => each.name)
    return { name, alone, beside, sent, ...usage.stop(), dead }
  } finally {
    await close()
  }
}

/** Looks at the processes again and again. */
function watchUsage(watched: readonly Watched[]): { stop(): Usage } {
  let [heap, turn] = [0, 0]
  const timer = setInterval(async () => {
    const now = await Promise.all(watched.map(({ usage }) => usage()))
    heap = Math.max(heap, ...now.map((each) => each.heap))
    // Of the API, which is the first: nobody waits for a turn of the worker.
    turn = Math.max(turn, now[0]?.turn ?? 0)
  }, SAMPLE_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return { heap, turn }
    },
  }
}

/** A new project on the servers. */
async function openSite(
  { place, origin, silentUrl }: Pick<Servers, 'place' | 'origin' | 'silentUrl'>,
  rateLimit: number,
): Promise<{ site: Site; close: () => Promise<void> }> {
  const [tenant] = await makeTenants(place, 1, permissionsOf(areas), rateLimit)
  if (tenant === undefined) throw new Error('no project was made')
  const owner = new pg.Client({ connectionString: place.databaseUrl })
  await owner.connect()
  await owner.query("select set_config('app.project_id', $1, false)", [tenant.projectId])
  const headers = { authorization: tenant.authorization, 'x-forwarded-for': ADDRESS }
  const send = async <T extends object = Made>(path: string, init: RequestInit): Promise<T> => {
    const answer = await fetch(`${origin}/api/v1${path}`, init)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${init.method} ${path}: ${answer.status} ${text.slice(0, 500)}`)
    // Its envelope has one object, under the name of what it is.
    return Object.values(JSON.parse(text)).find((value) => typeof value === 'object' && value !== null) as T
  }
  const json = { ...headers, 'content-type': 'application/json' }
  const sendJson: Site['send'] = (method, path, body, more) =>
    send(path, {
      method,
      headers: { ...(body ? json : headers), ...more },
      ...(body && { body: JSON.stringify(body) }),
    })
  const site: Site = {
    ...tenant,
    ...{ origin, silentUrl, owner },
    makeSiteKey: async () => {
      const keys = await makeKeys(place, tenant.projectId, [
        { type: 'public', name: 'Site', capabilities: ['track'] },
      ])
      return keys[0] ?? ''
    },
    send: sendJson,
    make: async (path, body) => (await sendJson('POST', path, body)).id,
    upload: async (path, bytes) => {
      const form = new FormData()
      form.set('file', bytes, 'file.bin')
      return (await send(path, { method: 'POST', headers, body: form })).id
    },
  }
  return { site, close: () => owner.end() }
}
