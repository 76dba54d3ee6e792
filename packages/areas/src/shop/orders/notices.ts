import type { Context } from '#platform/db/tenant.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { mailBuyer, type NOTICES } from './job-types.ts'

/** Has the buyer of an order told something by mail. @param amountMinor of a refund */
export const tellBuyer = (
  ctx: Context,
  notice: (typeof NOTICES)[number],
  orderId: string,
  amountMinor = 0,
): void => enqueue(ctx, mailBuyer, { order_id: orderId, notice, amount_minor: amountMinor })
