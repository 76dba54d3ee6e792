import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createKey } from '#areas/api-keys/service.ts'
import { type Project, tenantOf, updateSettings } from '#areas/projects/service.ts'
import { openOperator } from '../../apps/cli/src/operator.ts'
import { createClient } from '../../packages/sdk/src/guildhall.ts'
import { freePort, portProblem } from '../ports.ts'
import type { DataFolder, Keys } from './data-folder.ts'
import { makeDemoSite, type SiteSettings } from './demo-site.ts'
import type { Environment, Part } from './part.ts'
import type { Settings } from './settings.ts'

/** What other parts have found out by the time that somebody visits the site. */
export interface Found {
  readonly keys: Keys | undefined
  readonly project: Project | undefined
  readonly database: string
}

/**
 * Serves the demo site beside everything else. Its key and its build are made at the first visit, so that the start takes no longer.
 * @param found what is known once all else runs
 */
export function demoSite(
  settings: Settings,
  folder: DataFolder,
  found: () => Found,
): Part & { url(): string } {
  let server: ReturnType<typeof makeDemoSite> | undefined
  let url = ''
  return {
    name: 'the demo site',
    url: () => url,
    async start(environment) {
      server = makeDemoSite({
        folder: join(folder.path, 'elements'),
        origins: [
          settings.baseUrl,
          ...(environment['S3_ENDPOINT'] ? [new URL(environment['S3_ENDPOINT']).origin] : []),
        ],
        findSettings: () => findSettings(settings, folder, environment, url, found()),
      })
      const { host } = settings
      // The same at each start, if possible, because the key works from this origin only.
      const next = settings.port + 1
      const port =
        next < 65_536 && (await portProblem(host, next)) === undefined ? next : await freePort(host)
      await new Promise((resolve, reject) =>
        server?.once('error', reject).listen(port, host, () => resolve(0)),
      )
      const { port: taken } = server.address() as AddressInfo
      const { hostname } = new URL(settings.localUrl)
      // Passkeys belong to a domain, which an address of numbers is not.
      url = `http://${hostname === '127.0.0.1' ? 'localhost' : hostname}:${taken}`
      return {}
    },
    async stop() {
      server?.closeAllConnections()
      server?.close()
    },
  }
}

async function findSettings(
  { baseUrl, localUrl }: Settings,
  folder: DataFolder,
  environment: Environment,
  origin: string,
  { keys, project, database }: Found,
): Promise<SiteSettings> {
  if (keys === undefined || project === undefined)
    throw new Error('The demo site needs the demo project, whose keys are not in this data folder.')
  const made = keys.siteOrigin === origin ? keys.siteKey : undefined
  const key = made ?? (await makeKey(environment, project, origin))
  if (made === undefined) await folder.keepKeys(database, { ...keys, siteKey: key, siteOrigin: origin })
  const guildhall = createClient({ baseUrl: localUrl, key: keys.secretKey })
  const [forms, threads] = await Promise.all([
    guildhall.forms.list({ status: 'published', limit: 1 }),
    guildhall.discussions.list({ limit: 1 }),
  ])
  const [form, thread] = [forms.data[0]?.id ?? '', threads.data[0]?.id ?? '']
  return { api: baseUrl, key, form, thread }
}

/** A public key that works from the site alone, and the site's leave to be the target of links in mails. */
async function makeKey(environment: Environment, project: Project, origin: string): Promise<string> {
  const { DATABASE_URL: databaseUrl = '', SECRET_KEY: secretKey = '' } = environment
  const operator = openOperator({ databaseUrl, secretKey })
  try {
    const { allowed_redirect_urls: allowed } = await updateSettings(
      operator.operators,
      project.id,
      'test',
      {},
    )
    if (!allowed.includes(origin))
      await updateSettings(operator.operators, project.id, 'test', { redirectUrls: [...allowed, origin] })
    const data = await operator.dataOf(await tenantOf(operator.operators, project.id, 'test'))
    const { key } = await data.write((ctx) =>
      createKey(
        ctx,
        'test',
        {
          ...{ type: 'public', name: 'Demo site', created_by: 'operator' },
          capabilities: ['catalog', 'submit', 'track', 'access'],
          allowed_origins: [origin],
        },
        [],
      ),
    )
    return key
  } finally {
    await operator.close()
  }
}
