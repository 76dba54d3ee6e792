import type { Routes } from '#platform/http/api.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { authRoutes } from './auth/routes.ts'
import { entitlementRoutes } from './entitlements/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { exportRoutes } from './exports/routes.ts'
import { feedbackRoutes } from './feedback/routes.ts'
import { formRoutes } from './forms/routes.ts'
import { mailRoutes } from './mail/routes.ts'
import { memberContentRoutes } from './member-content/routes.ts'
import { memberRoutes } from './members/routes.ts'
import { planRoutes } from './plans/routes.ts'
import { storageRoutes } from './storage/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Every endpoint of the API, by area. */
export const routes: Readonly<Record<string, Routes>> = {
  'api-keys': apiKeyRoutes,
  auth: authRoutes,
  entitlements: entitlementRoutes,
  events: eventRoutes,
  exports: exportRoutes,
  feedback: feedbackRoutes,
  forms: formRoutes,
  mail: mailRoutes,
  'member-content': memberContentRoutes,
  members: memberRoutes,
  plans: planRoutes,
  storage: storageRoutes,
  webhooks: webhookRoutes,
}
