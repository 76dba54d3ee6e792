import { sql } from 'kysely'
import { stringify } from 'uuid'
import { defineQuery } from '../db/query.ts'
import { query } from '../db/statement.ts'
import type { AsSystem } from '../db/tenant.ts'
import { ProjectElsewhere } from '../keys/project-states.ts'
import { parseRedirect } from '../values/redirect-url.ts'
import type { Site } from './public-page.ts'

/** Where a project's pages are, as its operators have listed them. */
export interface Places {
  readonly allowed_origins: readonly string[]
  readonly allowed_redirect_urls: readonly string[]
}

/** The origins of a project's pages. */
export const originsOf = ({ allowed_origins, allowed_redirect_urls }: Places): string[] => {
  const leadTo = allowed_redirect_urls.flatMap((url) => parseRedirect(url)?.origin ?? [])
  return [...new Set([...allowed_origins, ...leadTo])]
}

/** A project as the pages show it that links in mails lead to. */
export const siteOf = (settings: Places & { readonly name: string }): Site => {
  const [home, another] = originsOf(settings)
  return { name: settings.name, home: another === undefined ? home : undefined }
}

/** The current project as such pages show it. @throws ApiError 404 */
export const getSite = defineQuery('project_site', () =>
  query
    .selectFrom('projects as p')
    .select(['p.name', 'p.allowed_redirect_urls', 'p.allowed_origins'])
    .where('p.id', '=', sql<string>`app.current_project()`),
)
  .map(siteOf)
  .one('Project')

/** The project whose id something names, if there is one. What names it need not be ours: nothing else is shown of it. */
export async function findSite(
  asSystem: AsSystem,
  projectId: string | undefined,
  reason: string,
): Promise<Site | undefined> {
  if (projectId === undefined) return undefined
  return asSystem(projectId, reason)
    .read({ site: getSite() })
    .then(
      ({ site }) => site,
      (error) => {
        if (error instanceof ProjectElsewhere) throw error
        return undefined
      },
    )
}

/** The id with which a token of ours begins, also where a part of the token is missing. */
export function firstIdIn(token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url')
  try {
    return stringify(bytes.subarray(0, 16))
  } catch {
    return undefined
  }
}
