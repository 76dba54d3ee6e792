import type { EventType } from '#platform/events/emit.ts'
import * as apiKeys from './api-keys/events.ts'
import * as auth from './auth/events.ts'
import * as sso from './auth/sso/events.ts'
import * as entitlements from './entitlements/events.ts'
import * as exports from './exports/events.ts'
import * as feedback from './feedback/events.ts'
import * as forms from './forms/events.ts'
import * as memberContent from './member-content/events.ts'
import * as members from './members/events.ts'
import * as plans from './plans/events.ts'
import * as storage from './storage/events.ts'
import * as webhooks from './webhooks/events.ts'

/** Every event that Guildhall announces, by name. */
export const eventCatalogue: ReadonlyMap<string, EventType> = new Map(
  [
    apiKeys,
    auth,
    entitlements,
    exports,
    feedback,
    forms,
    memberContent,
    members,
    plans,
    sso,
    storage,
    webhooks,
  ]
    .flatMap((area) => Object.values(area) as unknown as EventType[])
    .map((type) => [type.name, type]),
)
