import { analyticsExport } from '#areas/analytics/service.ts'
import { billExport, subscriptionExport } from '#areas/billing/service.ts'
import { feedbackExport } from '#areas/feedback/service.ts'
import { orderExport } from '#areas/shop/service.ts'
import type { FileOptions, ListExport, ListFilters } from '#platform/csv/list-file.ts'

export const LIST_NAMES = ['orders', 'bills', 'subscriptions', 'feedback', 'analytics'] as const
export type ListName = (typeof LIST_NAMES)[number]

/** The lists that can be exported. */
export const LISTS: Readonly<Record<ListName, ListExport>> = {
  orders: orderExport,
  bills: billExport,
  subscriptions: subscriptionExport,
  feedback: feedbackExport,
  analytics: analyticsExport,
}

/** The stored parameters of an export. */
export interface ExportParams extends FileOptions {
  readonly filters: ListFilters
}
