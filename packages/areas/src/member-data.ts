import type { PersonalData } from '#platform/personal-data.ts'
import { memberData as auth } from './auth/member-data.ts'
import { memberData as billing } from './billing/member-data.ts'
import { memberData as entitlements } from './entitlements/member-data.ts'
import { memberData as webhooks } from './events/member-data.ts'
import { memberData as exports } from './exports/member-data.ts'
import { memberData as feedback } from './feedback/member-data.ts'
import { memberData as forms } from './forms/member-data.ts'
import { memberData as mail } from './mail/member-data.ts'
import { memberData as memberContent } from './member-content/member-data.ts'
import { memberData as members } from './members/member-data.ts'
import { memberData as storage } from './storage/member-data.ts'

/**
 * Everything that areas hold on members: what an archive of it tells, and what is forgotten with them, in this order.
 * Submissions release their files before those are deleted that belong to the member.
 */
export const memberData: readonly PersonalData[] = [
  ...members,
  ...auth,
  ...billing,
  ...entitlements,
  ...feedback,
  ...forms,
  ...storage,
  ...mail,
  ...memberContent,
  ...webhooks,
  ...exports,
]
