import { areas } from '#areas/areas.ts'
import { catalogueOf } from '#platform/area.ts'
import type { Config } from '#platform/config.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { Objects } from '#platform/storage/objects.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import type { DemoPlace } from './part.ts'

interface Options {
  /** How much of it is made. */
  readonly share?: number
  /** Takes deliveries of webhooks. */
  readonly receiverUrl?: string | undefined
}

/** What the demo data are made with. */
export function makeDemoPlace(
  data: ProjectData,
  config: Config,
  { share = 1, receiverUrl }: Options = {},
): DemoPlace {
  const log = makeLog('silent', 'cli')
  return {
    ...{ data, config, log, share, receiverUrl },
    objects: new Objects(config, log),
    catalogue: catalogueOf(areas),
    now: Date.now(),
  }
}
