import {
  assertAnalyticsSettings,
  findAnalyticsSettings,
  updateAnalyticsSettings,
} from '#areas/analytics/service.ts'
import { assertBillingSettings, findBillingSettings, updateBillingSettings } from '#areas/billing/service.ts'
import {
  assertDiscussionSettings,
  findDiscussionSettings,
  updateDiscussionSettings,
} from '#areas/discussions/service.ts'
import {
  assertFeedbackSettings,
  findFeedbackSettings,
  updateFeedbackSettings,
} from '#areas/feedback/service.ts'
import {
  assertCertificateSettings,
  findCertificateSettings,
  updateCertificateSettings,
} from '#areas/lms/service.ts'
import { assertProfileSettings, findProfileSettings, updateProfileSettings } from '#areas/profiles/service.ts'
import {
  assertSettings,
  changeSettings,
  findSettings,
  lockSettings,
  type Settings,
  type SettingsChanges,
} from '#areas/projects/service.ts'
import type { Actor } from '#platform/actor.ts'
import { audit } from '#platform/audit.ts'
import { type Context, dataOf } from '#platform/db/tenant.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { toId } from '#platform/ids.ts'

// All settings of one side of a project: its own and those of areas. The console and `guildhall project set` change them here.

/** How an area reads, checks and changes its settings. */
interface AreaSettings {
  readonly find: (ctx: Context) => PromiseLike<object>
  readonly assert: (changes: object) => void
  readonly change: (ctx: Context, changes: object) => Promise<object>
}

const AREAS: readonly AreaSettings[] = [
  { find: findAnalyticsSettings, assert: assertAnalyticsSettings, change: updateAnalyticsSettings },
  { find: findDiscussionSettings, assert: assertDiscussionSettings, change: updateDiscussionSettings },
  { find: findFeedbackSettings, assert: assertFeedbackSettings, change: updateFeedbackSettings },
  { find: findProfileSettings, assert: assertProfileSettings, change: updateProfileSettings },
  { find: findCertificateSettings, assert: assertCertificateSettings, change: updateCertificateSettings },
  { find: findBillingSettings, assert: assertBillingSettings, change: updateBillingSettings },
]

/** What is left out stays as it is; an empty address unsets it. */
export type SideChanges = SettingsChanges &
  Parameters<typeof updateAnalyticsSettings>[1] &
  Parameters<typeof updateDiscussionSettings>[1] &
  Parameters<typeof updateFeedbackSettings>[1] &
  Parameters<typeof updateProfileSettings>[1] &
  Parameters<typeof updateCertificateSettings>[1] &
  Parameters<typeof updateBillingSettings>[1]

/** All settings of a side, by their columns. */
export type SideSettings = Settings &
  Awaited<ReturnType<typeof updateAnalyticsSettings>> &
  Awaited<ReturnType<typeof updateDiscussionSettings>> &
  Awaited<ReturnType<typeof updateFeedbackSettings>> &
  Awaited<ReturnType<typeof updateProfileSettings>> &
  Awaited<ReturnType<typeof updateCertificateSettings>> &
  Awaited<ReturnType<typeof updateBillingSettings>>

/** @throws ApiError 422 for what does not fit, by its field */
export async function assertSideSettings(changes: SideChanges): Promise<void> {
  await assertSettings(changes)
  for (const { assert } of AREAS) assert(changes)
}

/** All settings at one moment. @throws ApiError 404 */
export async function readSideSettings(ctx: Context): Promise<SideSettings> {
  const all = await Promise.all([findSettings(ctx), ...AREAS.map(({ find }) => find(ctx))])
  return Object.assign({}, ...all)
}

/**
 * Changes all that is given, or nothing, with an entry of the audit log that has it before and after.
 * @param operators a pool that logs in as guildhall_operator
 * @param side the stored id of the side
 * @param mayChange called with the settings as they are, which stay so until the change; it throws where they must not change
 * @returns all settings as they are then
 * @throws ApiError 404; 422 for what does not fit, by its field
 */
export async function changeSideSettings(
  operators: AreaDeps['operators'],
  side: string,
  changes: SideChanges,
  actor: Extract<Actor, { kind: 'operator' }>,
  mayChange: (ctx: Context, before: SideSettings) => Promise<void> = async () => undefined,
): Promise<SideSettings> {
  await assertSideSettings(changes)
  return dataOf(operators, side, actor).write(async (ctx) => {
    // Of two changes at the same time, the second one has before it what the first one left.
    await lockSettings(ctx)
    const before = await readSideSettings(ctx)
    await mayChange(ctx, before)
    const after: SideSettings = Object.assign({}, before, await changeSettings(ctx, changes))
    for (const { change } of AREAS) Object.assign(after, await change(ctx, changes))
    noteChange(ctx, before, after)
    return after
  })
}

/** Notes what has become different; nothing where nothing has. */
function noteChange(ctx: Context, before: SideSettings, after: SideSettings): void {
  const names = (Object.keys(after) as (keyof SideSettings)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  if (names.length === 0) return
  const only = (settings: SideSettings) => Object.fromEntries(names.map((name) => [name, settings[name]]))
  const target = toId('project', ctx.projectId)
  audit(ctx, { action: 'settings.change', target, before: only(before), after: only(after) })
}
