import type { Area } from '#platform/area.ts'
import { analytics } from './analytics/area.ts'
import { apiKeys } from './api-keys/area.ts'
import { auth } from './auth/area.ts'
import { billing } from './billing/area.ts'
import { community } from './community/area.ts'
import { console } from './console/area.ts'
import { discussions } from './discussions/area.ts'
import { entitlements } from './entitlements/area.ts'
import { events } from './events/area.ts'
import { exports } from './exports/area.ts'
import { feedback } from './feedback/area.ts'
import { forms } from './forms/area.ts'
import { help } from './help/area.ts'
import { listExports } from './list-exports/area.ts'
import { lms } from './lms/area.ts'
import { mail } from './mail/area.ts'
import { memberContent } from './member-content/area.ts'
import { members } from './members/area.ts'
import { moderation } from './moderation/area.ts'
import { notifications } from './notifications/area.ts'
import { plans } from './plans/area.ts'
import { profiles } from './profiles/area.ts'
import { projects } from './projects/area.ts'
import { proof } from './proof/area.ts'
import { requestLog } from './request-log/area.ts'
import { search } from './search/area.ts'
import { shop } from './shop/area.ts'
import { stats } from './stats/area.ts'
import { storage } from './storage/area.ts'
import { stream } from './stream/area.ts'
import { webhooks } from './webhooks/area.ts'

/** Every area of Guildhall, alphabetical. */
export const areas: readonly Area[] = [
  analytics,
  apiKeys,
  auth,
  billing,
  community,
  console,
  discussions,
  entitlements,
  events,
  exports,
  feedback,
  forms,
  help,
  listExports,
  lms,
  mail,
  memberContent,
  members,
  moderation,
  notifications,
  plans,
  profiles,
  projects,
  proof,
  requestLog,
  search,
  shop,
  stats,
  storage,
  stream,
  webhooks,
]
